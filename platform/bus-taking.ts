import { setTimeout as delay } from "node:timers/promises";
import type { Msg, NatsConnection } from "nats";
import type { z } from "zod";
import { decodeMessage, trailOf } from "./bus-message.ts";
import { type PullEnd, pull } from "./bus-pull.ts";
import type { BusStreams } from "./bus-streams.ts";
import type { Trail } from "./contracts/trail.ts";
import type { Logger } from "./log.ts";
import type { Consumer } from "./streams.ts";

/** A message taken from a stream. It comes again until it is acked. */
export type Taken<Message> = {
  message: Message;
  trail: Trail;
  /** Done with: never offered again. */
  ack: () => void;
  /** Offered again, after `delayMs`. */
  later: (delayMs: number) => void;
  /** Still at it: starts the stream's wait anew. */
  working: () => void;
};

export type Taking = {
  /** Takes messages as they come, at most `atOnce` unacked by this process. Returns how to stop. */
  take: <M>(
    consumer: Consumer,
    schema: z.ZodType<M>,
    atOnce: number,
    handle: (taken: Taken<M>) => Promise<void>,
  ) => Promise<() => Promise<void>>;
  /**
   * Takes the next message, or null when none came in `waitMs` (0: only what lies ready) or `signal` was aborted:
   * a message that was on its way then goes back to the stream at once.
   */
  takeOne: <M>(
    consumer: Consumer,
    schema: z.ZodType<M>,
    waitMs: number,
    signal?: AbortSignal,
  ) => Promise<Taken<M> | null>;
};

const pullWaitMs = 30_000;
const pauseMs = 250;

/** Pulls messages from streams. A server that is away is waited for, and what it has lost is declared anew. */
export function createTaking(
  connection: NatsConnection,
  streams: BusStreams,
  /** Aborted when the connection breaks: the server that knew of the requests is gone. */
  whileConnected: () => AbortSignal,
  log: Logger,
): Taking {
  async function pullFrom(
    consumer: Consumer,
    batch: number,
    waitMs: number,
    signal: AbortSignal | undefined,
    hear: (raw: Msg) => void,
  ): Promise<void> {
    const end = await streams.consumerExists(consumer).then(
      () => pull(connection, consumer, { batch, waitMs, signal: either(whileConnected(), signal) }, hear),
      (err): PullEnd => {
        log.warn({ err, stream: consumer.stream }, "stream could not be reached");
        return "missing";
      },
    );
    if (end !== "missing") return;
    streams.forget();
    await delay(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  }

  return {
    async take(consumer, schema, atOnce, handle) {
      await streams.consumerExists(consumer);
      const stopping = new AbortController();
      const { signal } = stopping;
      const working = takeAll({ atOnce, signal, log, schema, handle, pullSome });
      return async () => {
        stopping.abort();
        await working;
      };
      function pullSome(batch: number, hear: (raw: Msg) => void): Promise<void> {
        return pullFrom(consumer, batch, pullWaitMs, signal, hear);
      }
    },
    async takeOne(consumer, schema, waitMs, signal) {
      let taken: Taken<unknown> | null = null;
      await pullFrom(consumer, 1, waitMs, signal, (raw) => {
        taken = takenOf(raw, schema, log);
      });
      return taken;
    },
  };
}

type TakeAll<M> = {
  atOnce: number;
  signal: AbortSignal;
  log: Logger;
  schema: z.ZodType<M>;
  handle: (taken: Taken<M>) => Promise<void>;
  pullSome: (batch: number, hear: (raw: Msg) => void) => Promise<void>;
};

/** Asks for as many as there is room for, until stopped; then waits for those under way. */
async function takeAll<M>({ atOnce, signal, log, schema, handle, pullSome }: TakeAll<M>): Promise<void> {
  const underWay = new Set<Promise<void>>();
  while (!signal.aborted) {
    if (underWay.size >= atOnce) await Promise.race(underWay);
    await pullSome(atOnce - underWay.size, (raw) => {
      const taken = takenOf(raw, schema, log);
      if (taken === null) return;
      const handled = handle(taken)
        .catch((err) => {
          log.error({ ...taken.trail, err, subject: raw.subject }, "message could not be handled");
          taken.later(5000);
        })
        .finally(() => underWay.delete(handled));
      underWay.add(handled);
    });
  }
  await Promise.all(underWay);
}

/** Without a reason: 2.9.10 ignores a term that carries one. */
const say = (raw: Msg, verdict: string) => raw.respond(new TextEncoder().encode(verdict));

function takenOf<M>(raw: Msg, schema: z.ZodType<M>, log: Logger): Taken<M> | null {
  const parsed = schema.safeParse(decodeMessage(raw.data));
  if (!parsed.success) {
    log.error({ subject: raw.subject }, "message of an unknown shape was dropped");
    say(raw, "+TERM");
    return null;
  }
  return {
    message: parsed.data,
    trail: trailOf(raw.headers),
    ack: () => say(raw, "+ACK"),
    later: (delayMs) => say(raw, `-NAK {"delay": ${delayMs * 1_000_000}}`),
    working: () => say(raw, "+WPI"),
  };
}

function either(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other === undefined ? one : AbortSignal.any([one, other]);
}
