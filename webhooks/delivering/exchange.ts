import type { ClientRequest, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Got, Request } from "got";
import { meaningOfError, meaningOfStatus } from "./meaning.ts";
import type { Posted, Posting, PostLimits } from "./post.ts";

export type Exchanged = Posted & {
  /** The connection had been idle and was closed before a byte of answer came. */
  stale: boolean;
};

/** What has been seen of an exchange so far. */
type Seen = {
  request: ClientRequest | undefined;
  answer: { statusCode: number; retryAfter: string | undefined } | undefined;
  body: Buffer[];
  /** Our body could not be read: no fault of the receiver's. */
  ourFault: unknown;
};

/** One request and what came back of it, within its time. Never throws. */
export function exchange(client: Got, { url, headers, body }: Posting, limits: PostLimits) {
  return new Promise<Exchanged>((resolve) => {
    const seen: Seen = { request: undefined, answer: undefined, body: [], ourFault: undefined };
    const source = "open" in body ? body.open() : null;
    let stream: Request | undefined;
    let timer: NodeJS.Timeout | undefined;

    /** `error` null: all that is kept has come, or the time ran out. */
    const end = (error: unknown) => {
      clearTimeout(timer);
      stream?.destroy();
      source?.destroy();
      resolve(summaryOf(seen, error, limits.keptBytes));
    };
    const allow = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(end, ms, null);
    };

    allow(limits.answerMs + (body.size / limits.slowestBytesPerSecond) * 1000);
    source?.once("error", (error) => {
      seen.ourFault = error;
      end(error);
    });
    try {
      stream = client.stream.post(url, {
        headers: { ...headers, "content-length": String(body.size) },
        body: source ?? ("bytes" in body ? body.bytes : ""),
      });
      watch(stream, seen, { end, allow, limits });
    } catch (error) {
      end(error);
    }
  });
}

type Watching = { end: (error: unknown) => void; allow: (ms: number) => void; limits: PostLimits };

function watch(stream: Request & Readable, seen: Seen, { end, allow, limits }: Watching): void {
  let size = 0;
  stream.on("error", end);
  stream.once("request", (request: ClientRequest) => {
    seen.request = request;
    request.once("finish", () => allow(limits.answerMs));
  });
  stream.once("response", ({ statusCode = 0, headers }: IncomingMessage) => {
    seen.answer = { statusCode, retryAfter: headers["retry-after"] };
  });
  stream.on("data", (chunk: Buffer) => {
    seen.body.push(chunk);
    size += chunk.length;
    // An endless body is nobody's business beyond what is kept of it.
    if (size >= limits.keptBytes) end(null);
  });
  stream.once("end", () => end(null));
}

/** Once a status has come it is what counts: the body is only for the log, cut where it broke off. */
function summaryOf({ request, answer, body, ourFault }: Seen, error: unknown, keptBytes: number): Exchanged {
  if (answer !== undefined) {
    const responseBody = Buffer.concat(body).subarray(0, keptBytes);
    return { ...answer, outcome: meaningOfStatus(answer.statusCode), responseBody, stale: false };
  }
  const none = { statusCode: null, retryAfter: undefined, responseBody: null, stale: false } as const;
  if (ourFault !== undefined) return { ...none, outcome: "internal_error", error: ourFault };
  if (error === null) return { ...none, outcome: "timed_out" };
  const outcome = meaningOfError(error);
  return {
    ...none,
    outcome,
    error,
    stale: outcome === "connection_closed" && request?.reusedSocket === true,
  };
}
