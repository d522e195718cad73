import type { BlobStore } from "../platform/blob-store.ts";
import type { BlobOwner } from "../platform/contracts/blob.ts";
import type { IdKind } from "../platform/contracts/ids.ts";
import { fingerprint } from "./idempotency/fingerprint.ts";
import { parseInput, parseTextInput, refuseFaults } from "./ingest/parse-input.ts";
import type { ReadBody, ReceivedBody } from "./ingest/read-body.ts";
import type { Call, Route } from "./route.ts";
import type { Context } from "./state.ts";

export type RoutedContext = Context & { params: Record<string, string> };

type Receipt = {
  newId: string;
  /** Told what the call asks for, once its body has arrived; may refuse it. */
  asksFor: (fingerprint: string) => Promise<void>;
  /** The call may have run before under this id: what lies in the blob store may be in use. */
  mayHaveRun: boolean;
};

/** Makes a handler's `Call` of a request. When it throws, no file of the request is left behind. */
export type ReceiveCall = (
  route: Route,
  context: RoutedContext,
  receipt: Receipt,
) => Promise<Call<unknown, unknown, unknown>>;

type Deps = {
  blobs: BlobStore;
  readBody: ReadBody;
  /** Aborted when the service is asked to stop: what waits then answers with what there is. */
  closing: AbortSignal;
};

export function createReceiveCall(deps: Deps): ReceiveCall {
  return async function receiveCall(route, context, { newId, asksFor, mayHaveRun }) {
    const owner = ownerOf(route, newId);
    try {
      const received = await readRouteBody(deps.readBody, route, context, owner);
      await asksFor(fingerprint(received?.fields));
      return { ...inputOf(route, context, received), ...aboutOf(context, deps.closing), newId };
    } catch (error) {
      if (hasFiles(route) && !mayHaveRun) await deps.blobs.removeOwner(owner);
      throw error;
    }
  };
}

/** Reads a body that is to be compared only, and keeps nothing of it. @returns what it asks for */
export function createReadAgain({ blobs, readBody }: { blobs: BlobStore; readBody: ReadBody }) {
  return async function readAgain(route: Route, context: Context): Promise<string> {
    const owner: BlobOwner = { kind: "uploads", id: context.state.requestId };
    try {
      return fingerprint((await readRouteBody(readBody, route, context, owner))?.fields);
    } finally {
      if (hasFiles(route)) await blobs.removeOwner(owner);
    }
  };
}

export function hasFiles({ files = [] }: Route): boolean {
  return files.length > 0;
}

const ownerKinds: Partial<Record<IdKind, BlobOwner["kind"]>> = { job: "jobs", signatureRequest: "requests" };

/** Whom the files of a call belong to: the thing that it makes, or else the call itself. */
export function ownerOf({ makes }: Route, newId: string): BlobOwner {
  return { kind: (makes && ownerKinds[makes]) ?? "uploads", id: newId };
}

function readRouteBody(readBody: ReadBody, route: Route, { req, res }: Context, owner: BlobOwner) {
  const { body, files = [], rawTypes } = route;
  if (body === undefined) return null;
  const isOneFile = files.length > 0 && files.every((pattern) => !pattern.includes("[]"));
  return readBody(req, res, { files, rawTypes: rawTypes ?? (isOneFile ? ["application/pdf"] : []), owner });
}

/** Everything is judged before anything is refused, so that a caller learns of all faults at once. */
function inputOf({ params, query, body }: Route, context: RoutedContext, received: ReceivedBody | null) {
  const none = { value: undefined, faults: [] };
  const parseBody = received?.isText ? parseTextInput : parseInput;
  const parsed = {
    params: params === undefined ? none : parseInput(params, context.params),
    query: query === undefined ? none : parseInput(query, context.query),
    body: body === undefined || received === null ? none : parseBody(body, received.fields),
  };
  // Of a file that arrived broken, validation sees only that it is missing.
  const broken = received?.faults ?? [];
  const others = parsed.body.faults.filter(({ path }) => !broken.some((fault) => fault.path === path));
  refuseFaults([...parsed.params.faults, ...parsed.query.faults, ...broken, ...others]);
  return { params: parsed.params.value, query: parsed.query.value, body: parsed.body.value };
}

function aboutOf(context: Context, closing: AbortSignal) {
  const gone = new AbortController();
  context.res.once("close", () => gone.abort());
  return {
    requestId: context.state.requestId,
    trail: context.state.trail,
    ip: context.ip,
    userAgent: context.get("User-Agent"),
    headers: context.headers as Record<string, string | undefined>,
    signal: AbortSignal.any([gone.signal, closing]),
  };
}
