import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Got } from "got";
import { Failure } from "./contracts/failures.ts";
import { notAllowed, refusalIn } from "./url-guard.ts";

/** Bytes, as they come after content decoding. Throws a `Failure` that may be shown to the caller. */
export type Download = (url: string, limits: DownloadLimits) => AsyncIterable<Uint8Array>;

export type DownloadLimits = {
  maxBytes: number;
  /** Until the first byte of the body, redirects included. */
  firstByteMs?: number;
  /** Until the last byte. */
  totalMs?: number;
  /** Ends the download; its reason is thrown. */
  signal?: AbortSignal;
};

type Deps = { client: Got; checkUrl: (url: string) => URL };

const maxRedirects = 3;
const redirectStatuses = [301, 302, 303, 307, 308];

/** Fetches files that customers name by URL. */
export function createDownload({ client, checkUrl }: Deps): Download {
  return async function* download(url, { maxBytes, firstByteMs = 30_000, totalMs = 120_000, signal }) {
    const stop = new AbortController();
    const passOn = () => stop.abort(signal?.reason);
    signal?.addEventListener("abort", passOn, { once: true });
    if (signal?.aborted) passOn();
    const late = (ms: number) => setTimeout(() => stop.abort(tooLate(ms)), ms);
    const firstTimer = late(firstByteMs);
    const totalTimer = late(totalMs);
    try {
      const body = await openFollowing({ client, checkUrl, url, maxBytes, signal: stop.signal });
      let size = 0;
      for await (const chunk of body) {
        clearTimeout(firstTimer);
        size += chunk.length;
        if (size > maxBytes) throw tooLarge(maxBytes);
        yield chunk;
      }
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : downloadFailure(error);
    } finally {
      signal?.removeEventListener("abort", passOn);
      clearTimeout(firstTimer);
      clearTimeout(totalTimer);
      stop.abort();
    }
  };
}

type Opening = Deps & { url: string; maxBytes: number; signal: AbortSignal };

/** The body of the first answer that is no redirect; each hop passes the guard anew. */
async function openFollowing({ client, checkUrl, url, maxBytes, signal }: Opening) {
  let target = checkUrl(url);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const stream = client.stream(target, { signal });
    const [response] = (await once(stream, "response")) as [IncomingMessage];
    const { statusCode: status = 0, headers } = response;
    const fits = Number(headers["content-length"] ?? 0) <= maxBytes;
    if (status === 200 && fits) return stream as AsyncIterable<Uint8Array>;
    stream.on("error", () => undefined).destroy();
    if (status === 200) throw tooLarge(maxBytes);
    const { location } = headers;
    if (!redirectStatuses.includes(status) || location === undefined) {
      throw new Failure("download_failed", `The server of this URL answered with status ${status}.`);
    }
    target = checkUrl(URL.parse(location, target)?.href ?? "");
  }
  throw new Failure("download_failed", `This URL redirects more than ${maxRedirects} times.`);
}

function downloadFailure(error: unknown): Failure {
  const refused = refusalIn(error);
  if (refused !== null) return refused;
  // Said as of a private address: else the answer would tell which names our own resolver knows.
  if ((error as { code?: string }).code === "ENOTFOUND") return notAllowed(error);
  return new Failure(
    "download_failed",
    "The file could not be downloaded: the server did not answer, or the connection broke off.",
    { cause: error },
  );
}

function tooLate(ms: number): Failure {
  return new Failure("download_failed", `The server of this URL took longer than ${ms / 1000} s.`);
}

function tooLarge(maxBytes: number): Failure {
  return new Failure("file_too_large", `The file at this URL is larger than ${maxBytes} bytes.`);
}
