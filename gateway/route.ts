import type { Readable } from "node:stream";
import type { z } from "zod";
import type { FailureCode } from "../platform/contracts/failures.ts";
import type { Permission, Plan } from "../platform/contracts/http-api/envelope.ts";
import type { IdKind } from "../platform/contracts/ids.ts";
import type { ResultData } from "../platform/contracts/result-data.ts";
import type { Trail } from "../platform/contracts/trail.ts";

/** Who calls: the account behind the key. */
export type Caller = { accountId: string; keyId: string; plan: Plan; permissions: readonly Permission[] };

/** A request as a handler sees it: everything parsed, nothing of Koa. */
export type Call<Params, Query, Body> = {
  params: Params;
  query: Query;
  body: Body;
  /**
   * A fresh id for what the route `makes`. Files of the body are stored under it. A call that was cut off and comes
   * again under its `Idempotency-Key` has the same id again, so that nothing is made twice.
   */
  newId: string;
  requestId: string;
  trail: Trail;
  ip: string;
  userAgent: string;
  /** Header names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Aborted when the client has gone away, or the service is to stop. */
  signal: AbortSignal;
};

/** A file of a result: opened only when its turn to be sent has come. */
export type AnswerFile = { size: number; open: () => Readable };

/** What a handler answers. */
export type Answer = { status?: number; headers?: Record<string, string> } & (
  | { data: object }
  /** Goes out in the envelope; a mark in it becomes the base64 of that file. Kept under an idempotency key by `jobId`. */
  | { result: ResultData; files: readonly AnswerFile[]; jobId: string }
  | { contentType: string; bytes: Readable | string | Uint8Array; contentLength?: number }
);

/** What a status means for the OpenAPI document. Without a content type: `data` in the JSON envelope. */
type AnswerSchema = { schema: z.ZodType; example?: unknown; contentType?: string };

type Common<Params, Query, Body> = {
  method: "get" | "post" | "patch" | "delete";
  /** As @koa/router writes it: `/api/v1/pdf/jobs/:job_id`. */
  path: string;
  summary: string;
  description?: string;
  tag: "PDF" | "Jobs" | "Signature requests" | "Signing page" | "Webhooks" | "Service";
  params?: z.ZodType<Params>;
  query?: z.ZodType<Query>;
  /** Without one the body is not read. */
  body?: z.ZodType<Body>;
  /** The thing a POST makes. */
  makes?: IdKind;
  /** Where the body may hold a file in base64: `pdf_base64`, or `files[].pdf_base64` for each of a list. */
  files?: readonly string[];
  /** Media types of a body that is the file itself, its fields in the query. Default: `application/pdf` with one file. */
  rawTypes?: readonly string[];
  answers: Partial<Record<200 | 201 | 202, AnswerSchema>>;
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
