import { connect, type NatsConnection, NatsError, type Subscription } from "nats";
import type { z } from "zod";
import { decodeMessage, encodeMessage, headersOf, trailOf } from "./bus-message.ts";
import { answerAll, ask } from "./bus-requests.ts";
import { type BusStreams, createBusStreams, isMissing } from "./bus-streams.ts";
import { createTaking, type Taking } from "./bus-taking.ts";
import type { RequestContract } from "./contracts/request.ts";
import type { Trail } from "./contracts/trail.ts";
import type { Logger } from "./log.ts";
import type { Consumer } from "./streams.ts";

export type { Taken } from "./bus-taking.ts";

export type Bus = Taking & {
  /** Stores a message in its stream. `messageId` lets the stream drop a repeat within two minutes; no more than that. */
  publish: (
    subject: string,
    message: object,
    options: { messageId: string; trail?: Trail },
  ) => Promise<{ sequence: number }>;
  /** At most once, to whoever listens now. */
  notify: (subject: string, message: object, trail?: Trail) => void;
  /** Listens to `notify`. Returns how to stop. */
  listen: <M>(subject: string, schema: z.ZodType<M>, hear: (message: M, trail: Trail) => void) => () => void;
  /** Asks another service. Throws the failure it met, or `unavailable` when nobody answers in time. */
  ask: <Q, A>(
    contract: RequestContract<Q, A>,
    question: Q,
    options?: { trail?: Trail; timeoutMs?: number },
  ) => Promise<A>;
  /** Answers what is asked; processes of one service share the questions. Returns how to stop. */
  answer: <Q, A>(
    contract: RequestContract<Q, A>,
    give: (question: Q, trail: Trail) => Promise<A>,
  ) => () => void;
  /** Does the stream still hold this message? False once it was acked, aged out or lost. */
  holds: (stream: string, message: { sequence: number; messageId: string }) => Promise<boolean>;
  /** Messages of the consumer that wait or are being worked on. */
  backlog: (consumer: Consumer) => Promise<number>;
  check: () => Promise<void>;
  close: () => Promise<void>;
};

/** Connects for good: a server that goes away is waited for. Declares the streams, which may be done by all at once. */
export async function connectBus({
  url,
  service,
  log,
}: {
  url: string;
  service: string;
  log: Logger;
}): Promise<Bus> {
  const connection = await connect({
    servers: url.split(","),
    name: service,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    waitOnFirstConnect: true,
  });
  const streams = createBusStreams(connection);
  const whileConnected = followConnection(connection, streams, log);
  await streams.streamsExist();
  return busOver(connection, streams, whileConnected, log);
}

/**
 * A server that went away has lost the requests that were open, and may come back without its store. Returns the signal
 * of the connection as it is: aborted when it breaks.
 */
function followConnection(connection: NatsConnection, streams: BusStreams, log: Logger): () => AbortSignal {
  let connected = new AbortController();
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === "reconnect") log.info({ server: status.data }, "bus reconnected");
      if (status.type !== "disconnect") continue;
      log.warn({ server: status.data }, "bus disconnected");
      streams.forget();
      connected.abort();
      connected = new AbortController();
    }
  })();
  return () => connected.signal;
}

function busOver(
  connection: NatsConnection,
  streams: BusStreams,
  whileConnected: () => AbortSignal,
  log: Logger,
): Bus {
  const { take, takeOne } = createTaking(connection, streams, whileConnected, log);
  return {
    publish: async (subject, message, options) => {
      await streams.streamsExist();
      return publish(connection, subject, message, options).catch((error) => {
        // Nobody holds the subject: the stream was lost. It is declared again, and the message said once more.
        if (!(error instanceof NatsError) || error.code !== "503") throw error;
        streams.forget();
        return streams.streamsExist().then(() => publish(connection, subject, message, options));
      });
    },
    notify: (subject, message, trail) =>
      connection.publish(subject, encodeMessage(message), { headers: headersOf(trail) }),
    listen(subject, schema, hear) {
      const subscription = connection.subscribe(subject);
      void hearAll(subscription, schema, hear, log);
      return () => subscription.unsubscribe();
    },
    ask: (contract, question, options = {}) => ask(connection, whileConnected(), contract, question, options),
    answer(contract, give) {
      const subscription = connection.subscribe(contract.subject, { queue: contract.subject });
      void answerAll(subscription, contract, give, log);
      // What was asked of us already is answered still.
      return () => void subscription.drain().catch(() => undefined);
    },
    take,
    takeOne,
    holds: (stream, message) => holds(connection, stream, message),
    async backlog(consumer) {
      await streams.consumerExists(consumer);
      const waiting = await backlogOf(connection, consumer);
      if (waiting !== null) return waiting;
      streams.forget();
      await streams.consumerExists(consumer);
      return 0;
    },
    check: () => connection.rtt().then(() => undefined),
    close: () => connection.drain(),
  };
}

async function publish(
  connection: NatsConnection,
  subject: string,
  message: object,
  { messageId, trail }: { messageId: string; trail?: Trail },
): Promise<{ sequence: number }> {
  const ack = await connection.jetstream().publish(subject, encodeMessage(message), {
    msgID: messageId,
    headers: headersOf(trail),
  });
  return { sequence: ack.seq };
}

async function hearAll<M>(
  from: Subscription,
  schema: z.ZodType<M>,
  hear: (message: M, trail: Trail) => void,
  log: Logger,
) {
  for await (const raw of from) {
    const parsed = schema.safeParse(decodeMessage(raw.data));
    if (parsed.success) hear(parsed.data, trailOf(raw.headers));
    else log.warn({ subject: raw.subject }, "message of an unknown shape was dropped");
  }
}

/** Null when the server has lost the stream or the consumer. */
async function backlogOf(connection: NatsConnection, { stream, config }: Consumer): Promise<number | null> {
  const manager = await connection.jetstreamManager();
  return manager.consumers.info(stream, config.durable_name).then(
    (info) => info.num_pending + info.num_ack_pending,
    (error) => (isMissing(error) ? null : Promise.reject(error)),
  );
}

/** A sequence alone proves nothing: a stream that was lost counts from 1 again. */
async function holds(
  connection: NatsConnection,
  stream: string,
  { sequence, messageId }: { sequence: number; messageId: string },
): Promise<boolean> {
  const manager = await connection.jetstreamManager();
  return manager.streams.getMessage(stream, { seq: sequence }).then(
    (stored) => stored.header.get("Nats-Msg-Id") === messageId,
    (error) => (isMissing(error) ? false : Promise.reject(error)),
  );
}
