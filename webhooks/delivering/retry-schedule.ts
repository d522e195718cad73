/** Waits before the second try, the third, and so on: 11 tries in about three days. */
export const retryDelaysMs: readonly number[] = [
  5, 30, 120, 600, 1800, 7200, 21_600, 43_200, 86_400, 86_400,
].map((seconds) => seconds * 1000);

/** No receiver puts us off for longer than this. */
const longestRetryAfterMs = 24 * 3600 * 1000;
const jitter = 0.2;

type Failed = {
  /** Tries of this round, the one that has just failed among them. */
  tries: number;
  /** Unix milliseconds. */
  now: number;
  /** What the receiver asked for, in milliseconds; null when it asked for nothing. */
  retryAfterMs: number | null;
  /** From 0 to 1: spreads the tries of an outage, each ± 20 %. */
  random: number;
};

/**
 * When to try again after a failure, in Unix milliseconds; null when the schedule has ended. Never before the time
 * that the receiver asked for.
 */
export function nextTryAt(failed: Failed, delaysMs: readonly number[] = retryDelaysMs): number | null {
  const delayMs = delaysMs[failed.tries - 1];
  if (delayMs === undefined) return null;
  const spread = delayMs * (1 - jitter + 2 * jitter * failed.random);
  return failed.now + Math.round(Math.max(spread, Math.min(failed.retryAfterMs ?? 0, longestRetryAfterMs)));
}

/**
 * What `Retry-After` asks for (RFC 9110 §10.2.3), in milliseconds from `now`: seconds or an HTTP date. Null for none
 * and for anything unreadable.
 */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
