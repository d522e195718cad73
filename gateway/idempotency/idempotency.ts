import { createHash } from "node:crypto";
import { Failure } from "../../platform/contracts/failures.ts";
import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import { repeat } from "../../platform/repeat.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import {
  changeHeld,
  claimRow,
  findRow,
  type IdempotencyRow,
  releaseRow,
  takeOver,
} from "./idempotency-rows.ts";
import { type KeptAnswer, keptAnswer } from "./kept-answer.ts";

const keptMs = 24 * 3600 * 1000;
/** A gateway that has not said so for this long no longer runs the call. */
const heldMs = 20_000;
const renewEveryMs = 6000;

/** A call that runs under its key. */
export type Hold = {
  /** The id of what it makes: that of the first try, where this is another. */
  newId: string;
  /** To be told once the body has arrived. @throws Failure idempotency_mismatch if the first try asked for something else */
  asksFor: (fingerprint: string) => Promise<void>;
  keep: (answer: KeptAnswer) => Promise<void>;
  /** Nothing is kept: the next call under the key is a first one. */
  release: () => Promise<void>;
};

export type Begun = { hold: Hold } | { fingerprint: string; answer: KeptAnswer };

/**
 * Begins a call under its `Idempotency-Key`.
 * @throws Failure invalid_idempotency_key, idempotency_in_progress
 */
export type BeginOnce = (call: {
  accountId: string;
  path: string;
  key: string;
  newId: string;
}) => Promise<Begun>;

type Deps = { db: Database; secretBox: SecretBox; log: Logger; now: () => Date };

export function createBeginOnce(deps: Deps): BeginOnce {
  const { db, secretBox, now } = deps;
  const later = (ms: number) => new Date(now().getTime() + ms);

  return async function beginOnce({ accountId, path, key, newId }) {
    const id = rowId(accountId, path, unquoted(key));
    // The id of this try tells it from another that takes over: ids are never given twice.
    const claim = { newId, holder: newId, heldUntil: later(heldMs), now: now(), expiresAt: later(keptMs) };
    if (await claimRow(db, id, claim)) return { hold: holdOf(deps, { id, holder: newId }, newId, null) };
    const row = await findRow(db, id);
    if (row === null) throw inProgress();
    if (row.sealedAnswer !== null) return replayOf(row, secretBox);
    if (!(await takeOver(db, id, { ...claim, from: row.holder }))) throw inProgress();
    return { hold: holdOf(deps, { id, holder: newId }, row.newId, row.fingerprint) };
  };
}

function replayOf(row: IdempotencyRow, secretBox: SecretBox): Begun {
  const answer = keptAnswer.parse(JSON.parse(secretBox.open(row.sealedAnswer ?? "")));
  return { fingerprint: row.fingerprint ?? "", answer };
}

function holdOf(
  { db, secretBox, log, now }: Deps,
  row: { id: string; holder: string },
  newId: string,
  first: string | null,
): Hold {
  const renew = () => changeHeld(db, row, { heldUntil: new Date(now().getTime() + heldMs) });
  const renewal = repeat(renew, renewEveryMs, (err) => log.warn({ err }, "idempotency key was not renewed"));
  return {
    newId,
    asksFor: async (fingerprint) => {
      if (first !== null && first !== fingerprint) throw mismatch();
      if (first === null) await changeHeld(db, row, { fingerprint });
    },
    keep: async (answer) => {
      await renewal.stop();
      await changeHeld(db, row, { sealedAnswer: secretBox.seal(JSON.stringify(answer)) });
    },
    release: async () => {
      await renewal.stop();
      await releaseRow(db, row);
    },
  };
}

export function mismatch(): Failure {
  return new Failure(
    "idempotency_mismatch",
    "This Idempotency-Key was used for a call that asked for something else. Use a new key.",
  );
}

function inProgress(): Failure {
  const message = "The first call with this Idempotency-Key still runs. Ask again in a moment.";
  return new Failure("idempotency_in_progress", message, { retryAfterSeconds: 1 });
}

/** As the header's draft says a string in quotes, as most write it a bare one. */
function unquoted(key: string): string {
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    const message = "An Idempotency-Key has 1 to 255 printable ASCII characters.";
    throw new Failure("invalid_idempotency_key", message);
  }
  return key.replace(/^"(.*)"$/, "$1");
}

function rowId(accountId: string, path: string, key: string): string {
  return createHash("sha256")
    .update(JSON.stringify([accountId, path, key]))
    .digest("hex");
}
