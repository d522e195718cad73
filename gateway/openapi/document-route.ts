import { z } from "zod";
import { type Route, route } from "../route.ts";
import { openapiDocument } from "./openapi-document.ts";

/** Serves the description of all the other routes. */
export function documentRoute(routes: readonly Route[], baseUrl: string): Route {
  let document: string | undefined;
  const self: Route = route({
    method: "get",
    path: "/api/v1/openapi.json",
    tag: "Service",
    summary: "This document",
    permission: null,
    answers: { 200: { schema: z.object({ openapi: z.string() }), contentType: "application/json" } },
    handle: async () => {
      // Made when it is first asked for: it costs more than all else at start.
      document ??= JSON.stringify(openapiDocument([...routes, self], baseUrl));
      return { contentType: "application/json", bytes: document };
    },
  });
  return self;
}
