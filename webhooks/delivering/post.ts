import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Readable } from "node:stream";
import type { Got } from "got";
import type { AttemptOutcome } from "../../platform/contracts/webhook-delivery.ts";
import { exchange } from "./exchange.ts";

export type Posting = {
  url: string;
  headers: Record<string, string>;
  /** `open` where the body is too large to hold. */
  body: { size: number; bytes: Uint8Array } | { size: number; open: () => Readable };
};

/** What came of a request, whatever it was: a post never throws. */
export type Posted = {
  outcome: AttemptOutcome;
  statusCode: number | null;
  retryAfter: string | undefined;
  /** The beginning of the answer's body; null when there was none. */
  responseBody: Buffer | null;
  /** For our log. */
  error?: unknown;
};

export type Post = (posting: Posting) => Promise<Posted>;

export type PostLimits = {
  /** From the last byte of our body to the end of the answer's headers and of what is kept of its body. */
  answerMs: number;
  /** What a receiver must take at least, on top of `answerMs` to connect. */
  slowestBytesPerSecond: number;
  keptBytes: number;
};

export const postLimits: PostLimits = { answerMs: 15_000, slowestBytesPerSecond: 1_000_000, keptBytes: 2048 };

/** Shorter than common servers keep an idle connection: an event must not be sent into one that is closing. */
const idleMs = 4000;

/**
 * Sends to receivers, over connections that are kept a while for the next event.
 * @param client of `createSafeFetch`: it judges every URL and every address that is dialled
 */
export function createPost(client: Got, limits: PostLimits = postLimits): { post: Post; close: () => void } {
  const kept = { keepAlive: true, timeout: idleMs, maxFreeSockets: 64 };
  const agent = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };
  const sender = client.extend({ agent, decompress: false });
  return {
    async post(posting) {
      const { stale, ...posted } = await exchange(sender, posting, limits);
      if (!stale) return posted;
      // The receiver closed an idle connection just as we wrote into it: once more, over another.
      const { stale: _, ...again } = await exchange(sender, posting, limits);
      return again;
    },
    close: () => {
      agent.http.destroy();
      agent.https.destroy();
    },
  };
}
