import type { IncomingMessage } from "node:http";

const mostBytes = 512 * 1024 * 1024;
const longestMs = 15_000;

/**
 * Reads on after a refusal, into nothing: many clients look for the answer only once they have sent everything, and
 * would see a broken connection instead. Not for ever.
 */
export function discardRest(request: IncomingMessage): void {
  let size = 0;
  const timer = setTimeout(() => request.destroy(), longestMs);
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > mostBytes) request.destroy();
  });
  request.on("error", () => undefined);
  request.once("close", () => clearTimeout(timer));
  request.resume();
}
