import t from "tap";
import { webhookRoutes } from "../../../gateway/webhooks/routes.ts";

const routes = webhookRoutes({ bus: {}, blobs: {} } as never);

t.test("the routes of webhooks", async (t) => {
  t.test("have examples that are what they promise", async (t) => {
    for (const { method, path, answers, body, bodyExample } of routes) {
      if (body !== undefined) t.ok(body.safeParse(bodyExample).success, `${method} ${path}: body`);
      for (const [status, { schema, example }] of Object.entries(answers)) {
        const parsed = schema.safeParse(example);
        t.ok(parsed.success || example === undefined, `${method} ${path}: ${status}`, {
          error: parsed.error,
        });
      }
    }
  });

  t.test("all need the permission to manage webhooks", async (t) => {
    t.same(new Set(routes.map(({ permission }) => permission)), new Set(["webhook:manage"]));
  });

  t.test("name a fixed path before one with an id in its place", async (t) => {
    const paths = routes.filter(({ method }) => method === "get").map(({ path }) => path);
    t.ok(paths.indexOf("/api/v1/webhooks/default-secret") < paths.indexOf("/api/v1/webhooks/:webhook_id"));
  });
});
