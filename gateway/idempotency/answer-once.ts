import type { Answer, Caller } from "../route.ts";
import { type BeginOnce, type Hold, mismatch } from "./idempotency.ts";
import { type KeptAnswer, keepable, keepableFailure, replayed } from "./kept-answer.ts";

type KeyedCall = {
  caller: Caller;
  path: string;
  key: string;
  /** The id of what the call makes, if it is the first. */
  newId: string;
  /** Does the call. It must not do anything before `asksFor` has let it. */
  perform: (run: {
    newId: string;
    mayHaveRun: boolean;
    asksFor: (fingerprint: string) => Promise<void>;
  }) => Promise<Answer>;
  /** What the call asks for, where it is not to be done. */
  readAgain: () => Promise<string>;
  openJob: (jobId: string) => Promise<Answer>;
  /** Told before an answer is given again. */
  onReplay: () => void;
};

/** Answers a call under an idempotency key: by doing it, or with what was answered the first time. */
export async function answerOnce(beginOnce: BeginOnce, call: KeyedCall): Promise<Answer> {
  const { caller, path, key, newId } = call;
  const begun = await beginOnce({ accountId: caller.accountId, path, key, newId });
  if ("hold" in begun) return perform(call, begun.hold);
  if ((await call.readAgain()) !== begun.fingerprint) throw mismatch();
  call.onReplay();
  return replayed(begun.answer, call.openJob);
}

async function perform(call: KeyedCall, hold: Hold): Promise<Answer> {
  let asked = false;
  const end = (kept: KeptAnswer | null) => (kept === null ? hold.release() : hold.keep(kept));
  try {
    const answer = await call.perform({
      newId: hold.newId,
      mayHaveRun: hold.newId !== call.newId,
      asksFor: async (fingerprint) => {
        await hold.asksFor(fingerprint);
        asked = true;
      },
    });
    await end(keepable(answer));
    return answer;
  } catch (error) {
    // A body that did not arrive whole cannot be compared with the next, so its failure is not kept.
    await end(asked ? keepableFailure(error) : null);
    throw error;
  }
}
