import type { ParameterizedContext } from "koa";
import type { FailureCode } from "../platform/contracts/failures.ts";
import type { Trail } from "../platform/contracts/trail.ts";
import type { Caller } from "./route.ts";

/** What the middleware know of a request and tell each other. */
export type State = {
  requestId: string;
  trail: Trail;
  /** The matched route's path with its parameters' names, for logs and metrics; no customer's ids. */
  path?: string;
  caller?: Caller;
  failure?: FailureCode;
};

export type Context = ParameterizedContext<State>;
export type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;
