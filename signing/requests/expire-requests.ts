import { retryDeadlock } from "../retry-deadlock.ts";
import { type ChangeDeps, tell } from "./change-request.ts";
import { lapsedRequests } from "./due-requests.ts";
import { expire } from "./endings.ts";
import { lockRequest } from "./request-rows.ts";
import { mayExpire } from "./rules.ts";
import { writeChange } from "./write-change.ts";

const batchSize = 100;
const atOnce = 4;

/**
 * Expires what is due, of one account or of all, until nothing is left; returns how many. Any number of processes may
 * do so at once: each passes over what another has in hand.
 */
export function createExpireRequests(deps: ChangeDeps) {
  return async function expireRequests(accountId?: string): Promise<number> {
    let count = 0;
    for (;;) {
      const before = count;
      const ids = await lapsedRequests(deps.db, deps.now(), batchSize, accountId);
      let next = 0;
      const expireInTurn = async () => {
        for (let id = ids[next++]; id !== undefined; id = ids[next++]) {
          if (await expireOne(deps, id)) count++;
        }
      };
      await Promise.all(Array.from({ length: atOnce }, expireInTurn));
      // Nothing of a whole batch: others have it in hand, and looking again at once would only turn the wheel.
      if (ids.length < batchSize || count === before) return count;
    }
  };
}

/** False when another process has the request in hand, or something else has ended it. */
async function expireOne(deps: ChangeDeps, id: string): Promise<boolean> {
  const done = await retryDeadlock(() =>
    deps.db.transaction(async (trx) => {
      const request = await lockRequest(trx, id, { skipLocked: true });
      const now = deps.now();
      if (request === null || !mayExpire(request, now)) return null;
      const change = expire(request, now);
      return { change, messages: await writeChange(trx, change, { now, trail: {} }) };
    }),
  );
  if (done === null) return false;
  tell(deps, done.change, done.messages);
  return true;
}
