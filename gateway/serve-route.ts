import type { BlobStore } from "../platform/blob-store.ts";
import { newId } from "../platform/new-id.ts";
import { sendAnswer } from "./answers/send-answer.ts";
import { answerOnce } from "./idempotency/answer-once.ts";
import type { BeginOnce } from "./idempotency/idempotency.ts";
import type { ReadBody } from "./ingest/read-body.ts";
import type { Admit } from "./middleware/admit.ts";
import { createReadAgain, createReceiveCall, hasFiles, ownerOf, type RoutedContext } from "./receive-call.ts";
import type { Answer, Call, Caller, Route } from "./route.ts";

type Deps = {
  blobs: BlobStore;
  admit: Admit;
  readBody: ReadBody;
  beginOnce: BeginOnce;
  closing: AbortSignal;
  /** The answer with a finished job's result, for a call that is repeated. */
  openJob: (jobId: string, accountId: string) => Promise<Answer>;
};

/** Turns a route into what the router calls: admission, body, validation, idempotency, handler, answer. */
export function createServeRoute(deps: Deps) {
  const { blobs, admit, beginOnce, openJob } = deps;
  const receiveCall = createReceiveCall(deps);
  const readAgain = createReadAgain(deps);

  return (route: Route) =>
    async function serveRoute(context: RoutedContext): Promise<void> {
      context.state.path = route.path;
      const caller = route.permission === null ? null : await admit(context, route.permission);
      const id = route.makes === undefined ? context.state.requestId : newId(route.makes);
      const key = context.get("Idempotency-Key");
      const perform = async (run: Parameters<typeof receiveCall>[2]) => {
        const call = await receiveCall(route, context, run);
        const answer = handle(route, call, caller);
        const owner = ownerOf(route, run.newId);
        return owner.kind === "uploads" && hasFiles(route)
          ? answer.finally(() => blobs.removeOwner(owner))
          : answer;
      };
      if (caller === null || route.method !== "post" || key === "") {
        sendAnswer(context, await perform({ newId: id, asksFor: async () => undefined, mayHaveRun: false }));
        return;
      }
      const answer = await answerOnce(beginOnce, {
        caller,
        path: context.path,
        key,
        newId: id,
        perform,
        readAgain: () => readAgain(route, context),
        openJob: (jobId) => openJob(jobId, caller.accountId),
        onReplay: () => context.set("Idempotent-Replayed", "true"),
      });
      sendAnswer(context, answer);
    };
}

function handle(route: Route, call: Call<unknown, unknown, unknown>, caller: Caller | null): Promise<Answer> {
  if (route.permission === null) return route.handle(call);
  if (caller === null) throw new Error("a route that needs a key was served without one");
  return route.handle({ ...call, caller });
}
