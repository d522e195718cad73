import t from "tap";
import { failures } from "../../platform/contracts/failures.ts";
import { callApi } from "../support/api-account.ts";
import { startSystem } from "../support/start-system.ts";

type Content = Record<string, { schema?: { properties?: object }; example?: unknown }>;
type Operation = {
  operationId: string;
  description: string;
  security?: object[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content: Content }>;
};

t.test("the OpenAPI document", async (t) => {
  const system = await startSystem(t, { run: ["gateway"] });
  const { body: document } = await callApi(`${system.baseUrl}/api/v1/openapi.json`);
  const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

  t.test("describes every endpoint of the API document", async (t) => {
    const names = operations.map(({ path, method }) => `${method} ${path}`);
    for (const name of [
      "post /api/v1/pdf/compress",
      "post /api/v1/pdf/merge",
      "post /api/v1/pdf/split",
      "post /api/v1/pdf/ocr",
      "get /api/v1/pdf/jobs/{job_id}",
      "get /api/v1/pdf/jobs",
      "post /api/v1/signature-requests",
      "get /api/v1/signature-requests",
      "get /api/v1/signature-requests/{id}",
      "get /api/v1/signature-requests/{id}/download",
      "get /api/v1/signature-requests/{id}/certificate",
      "post /api/v1/signature-requests/{id}/cancel",
      "post /api/v1/signature-requests/{id}/remind",
      "post /api/v1/webhooks",
    ])
      t.ok(names.includes(name), name);
    t.match(document.openapi, /^3\.1\./);
    t.ok("pdf.compress.completed" in document.webhooks);
  });

  t.test("gives each operation its own id, an example, its permission and its failures", async (t) => {
    t.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length);
    for (const { path, method, operation } of operations) {
      const name = `${method} ${path}`;
      t.ok(operation.security?.length === 0 || /Needs the permission/.test(operation.description), name);
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        const json = content["application/json"];
        if (status.startsWith("2")) {
          if (json?.schema?.properties !== undefined && path !== "/api/v1/openapi.json")
            t.ok(json.example, `${name} ${status} has an example`);
          continue;
        }
        for (const [, code] of description.matchAll(/`(\w+)`/g))
          t.equal(failures[code as keyof typeof failures].status, Number(status), `${name} ${code}`);
      }
      const sent = operation.requestBody?.content["application/json"];
      if (sent !== undefined) t.ok(sent.example, `${name} shows what to send`);
    }
  });

  t.test("shows a file as a string of base64, and takes it as a form and bare too", async (t) => {
    const { content } = document.paths["/api/v1/pdf/compress"].post.requestBody;
    t.same(Object.keys(content), ["application/json", "multipart/form-data", "application/pdf"]);
    t.match(
      JSON.stringify(content["application/json"].schema.properties.pdf_base64),
      /"contentEncoding":"base64"/,
    );
  });
});
