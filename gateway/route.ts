import type { Readable } from "node:stream";
import type { z } from "zod";
import type { FailureCode } from "../platform/contracts/failures.ts";
import type { Permission, Plan } from "../platform/contracts/http-api/envelope.ts";
import type { ResultData } from "../platform/contracts/result-data.ts";
import type { Trail } from "../platform/contracts/trail.ts";

/** Who calls: the account behind the key. */
export type Caller = { accountId: string; keyId: string; plan: Plan; permissions: readonly Permission[] };

/** A request as a handler sees it: everything parsed, nothing of Koa. */
export type Call<Params, Query, Body> = {
  params: Params;
  query: Query;
  body: Body;
  requestId: string;
  trail: Trail;
  ip: string;
  userAgent: string;
  /** Header names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Aborted when the client has gone away. */
  signal: AbortSignal;
};

/** What a handler answers. `data` goes out in the envelope; a mark in it becomes the base64 of that file's bytes. */
export type Answer =
  | { status?: 200 | 201 | 202; data: object; headers?: Record<string, string> }
  | {
      status?: 200;
      result: ResultData;
      openFile: (index: number) => Readable;
      headers?: Record<string, string>;
    }
  | {
      status?: 200;
      contentType: string;
      bytes: Readable | string | Uint8Array;
      headers?: Record<string, string>;
    };

type Common<Params, Query, Body> = {
  method: "get" | "post" | "patch" | "delete";
  /** As @koa/router writes it: `/api/v1/pdf/jobs/:job_id`. */
  path: string;
  summary: string;
  description?: string;
  tag: "PDF" | "Jobs" | "Signature requests" | "Signing page" | "Webhooks" | "Service";
  params?: z.ZodType<Params>;
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  /** What `data` holds on success, by status, each with an example for the OpenAPI document. */
  answers: Partial<Record<200 | 201 | 202, { schema: z.ZodType; example?: unknown; contentType?: string }>>;
  bodyExample?: unknown;
  /** Codes beyond those that any call may meet (401, 402, 403, 404, 405, 422 validation, 429, 5xx). */
  failures?: readonly FailureCode[];
};

/** One line of the public API: the router, the validation and the OpenAPI document all read it. */
export type Route<Params = unknown, Query = unknown, Body = unknown> = Common<Params, Query, Body> &
  (
    | {
        permission: Permission;
        handle: (call: Call<Params, Query, Body> & { caller: Caller }) => Promise<Answer>;
      }
    /** Needs no key: the signer's page, and what describes the service. */
    | { permission: null; handle: (call: Call<Params, Query, Body>) => Promise<Answer> }
  );

/** Declares a route; its handler's types follow from the schemas. */
export function route<Params, Query, Body>(of: Route<Params, Query, Body>): Route {
  return of as unknown as Route;
}
