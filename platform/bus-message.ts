import { headers, JSONCodec, type MsgHdrs } from "nats";
import { type Trail, trail as trailSchema } from "./contracts/trail.ts";

const codec = JSONCodec<unknown>();

export const encodeMessage = (message: unknown): Uint8Array => codec.encode(message);

/** What the bytes say, or undefined when they are not JSON: no schema takes that. */
export function decodeMessage(data: Uint8Array): unknown {
  try {
    return codec.decode(data);
  } catch {
    return undefined;
  }
}

export function headersOf(trail: Trail | undefined): MsgHdrs {
  const made = headers();
  if (trail?.requestId !== undefined) made.set("X-Request-Id", trail.requestId);
  if (trail?.traceparent !== undefined) made.set("traceparent", trail.traceparent);
  return made;
}

/** Headers of another shape are no reason to drop a message: its trail is then unknown. */
export function trailOf(from: MsgHdrs | undefined): Trail {
  const parsed = trailSchema.safeParse({
    requestId: from?.get("X-Request-Id") || undefined,
    traceparent: from?.get("traceparent") || undefined,
  });
  return parsed.success ? parsed.data : {};
}
