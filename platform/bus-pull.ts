import { createInbox, type Msg, type NatsConnection, nanos, type Subscription } from "nats";
import { encodeMessage } from "./bus-message.ts";
import type { Consumer } from "./streams.ts";

/** `missing`: the consumer, its stream or all of JetStream is not there. */
export type PullEnd = "done" | "empty" | "withdrawn" | "missing";

type PullOptions = {
  batch: number;
  /** How long the server keeps the request open; 0 takes only what lies ready. */
  waitMs: number;
  /** Withdraws the request. */
  signal?: AbortSignal | undefined;
};

/** Offered again at once, to whoever asks next. */
const handBack = new TextEncoder().encode("-NAK");

/**
 * One pull request to a consumer (CONSUMER.MSG.NEXT of the JetStream wire API). The client library's own pulls cannot
 * be withdrawn: what arrives while they are being closed is lost until its ack wait is over. Here a withdrawn request
 * is drained, and what was already on its way goes straight back to the stream.
 */
export function pull(
  connection: NatsConnection,
  consumer: Consumer,
  { batch, waitMs, signal }: PullOptions,
  hear: (raw: Msg) => void,
): Promise<PullEnd> {
  return new Promise((resolve) => {
    let left = batch;
    let withdrawn = signal?.aborted === true;
    if (withdrawn) return resolve("withdrawn");
    const inbox = createInbox();
    const subscription: Subscription = connection.subscribe(inbox, { callback: arrived });
    // The server ends the request itself; this is for a server that is gone.
    const tooLate = setTimeout(end, waitMs + 2000, "empty");
    signal?.addEventListener("abort", withdraw, { once: true });
    connection.publish(nextOf(consumer), encodeMessage(requestOf(batch, waitMs)), { reply: inbox });

    function arrived(error: Error | null, raw: Msg): void {
      const code = error === null ? (raw.headers?.code ?? 0) : 503;
      if (code !== 0) end(endOf(code));
      else if (withdrawn) raw.respond(handBack);
      else {
        hear(raw);
        left -= 1;
        if (left === 0) end("done");
      }
    }
    function withdraw(): void {
      withdrawn = true;
      const ended = () => end("withdrawn");
      void subscription.drain().then(ended, ended);
    }
    function end(how: PullEnd): void {
      clearTimeout(tooLate);
      signal?.removeEventListener("abort", withdraw);
      if (!withdrawn) subscription.unsubscribe();
      resolve(withdrawn ? "withdrawn" : how);
    }
  });
}

function nextOf({ stream, config }: Consumer): string {
  return `$JS.API.CONSUMER.MSG.NEXT.${stream}.${config.durable_name}`;
}

function requestOf(batch: number, waitMs: number): object {
  return waitMs === 0 ? { batch, no_wait: true } : { batch, expires: nanos(waitMs) };
}

/** 404: nothing lies ready. 408: the wait is over. 409: consumer deleted or too many requests. 503: nobody there. */
function endOf(code: number): PullEnd {
  return code === 404 || code === 408 ? "empty" : "missing";
}
