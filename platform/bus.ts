import {
  type ConsumerMessages,
  connect,
  headers,
  JSONCodec,
  type JsMsg,
  type MsgHdrs,
  type NatsConnection,
  NatsError,
  type Subscription,
} from "nats";
import type { z } from "zod";
import { asFailure, Failure } from "./contracts/failures.ts";
import { type RequestContract, reply } from "./contracts/request.ts";
import { type Trail, trail as trailSchema } from "./contracts/trail.ts";
import type { Logger } from "./log.ts";
import { type Consumer, streams } from "./streams.ts";

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

export type Bus = {
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
  /** Answers what is asked; processes of one service share the questions. */
  answer: <Q, A>(contract: RequestContract<Q, A>, give: (question: Q, trail: Trail) => Promise<A>) => void;
  /** Takes messages one after the other, at most `atOnce` unacked by this process. */
  take: <M>(
    consumer: Consumer,
    schema: z.ZodType<M>,
    atOnce: number,
    handle: (taken: Taken<M>) => Promise<void>,
  ) => Promise<() => Promise<void>>;
  /** Takes the next message, or null when none came in `waitMs`. */
  takeOne: <M>(consumer: Consumer, schema: z.ZodType<M>, waitMs: number) => Promise<Taken<M> | null>;
  /** Does the stream still hold this message? False once it was acked, aged out or lost. */
  holds: (stream: string, sequence: number) => Promise<boolean>;
  check: () => Promise<void>;
  close: () => Promise<void>;
};

const codec = JSONCodec<unknown>();

function headersOf(trail: Trail | undefined): MsgHdrs {
  const made = headers();
  if (trail?.requestId !== undefined) made.set("X-Request-Id", trail.requestId);
  if (trail?.traceparent !== undefined) made.set("traceparent", trail.traceparent);
  return made;
}

function trailOf(from: MsgHdrs | undefined): Trail {
  const parsed = trailSchema.safeParse({
    requestId: from?.get("X-Request-Id") || undefined,
    traceparent: from?.get("traceparent") || undefined,
  });
  return parsed.success ? parsed.data : {};
}

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
  void logStatus(connection, log);
  await declareStreams(connection);
  return busOver(connection, log);
}

async function logStatus(connection: NatsConnection, log: Logger): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === "disconnect") log.warn({ server: status.data }, "bus disconnected");
    // A server that came back with an empty store has no streams any more.
    if (status.type === "reconnect") {
      await declareStreams(connection).catch((err) => log.warn({ err }, "streams could not be declared"));
      log.info({ server: status.data }, "bus reconnected");
    }
  }
}

async function declareStreams(connection: NatsConnection): Promise<void> {
  const manager = await connection.jetstreamManager();
  for (const stream of streams) {
    await manager.streams.add(stream).catch(async (error) => {
      if (!(error instanceof NatsError)) throw error;
      await manager.streams.update(stream.name ?? "", stream);
    });
  }
}

function busOver(connection: NatsConnection, log: Logger): Bus {
  const stream = connection.jetstream();
  return {
    async publish(subject, message, { messageId, trail }) {
      const ack = await stream.publish(subject, codec.encode(message), {
        msgID: messageId,
        headers: headersOf(trail),
      });
      return { sequence: ack.seq };
    },
    notify: (subject, message, trail) =>
      connection.publish(subject, codec.encode(message), { headers: headersOf(trail) }),
    listen(subject, schema, hear) {
      const subscription = connection.subscribe(subject);
      void hearAll(subscription, schema, hear, log);
      return () => subscription.unsubscribe();
    },
    ask: (contract, question, options = {}) => ask(connection, contract, question, options),
    answer(contract, give) {
      const subscription = connection.subscribe(contract.subject, { queue: contract.subject });
      void answerAll(subscription, contract, give, log);
    },
    async take(consumer, schema, atOnce, handle) {
      const messages = await openConsumer(connection, consumer, atOnce);
      const working = handleAll(messages, schema, handle, log);
      return async () => {
        await messages.close();
        await working;
      };
    },
    async takeOne(consumer, schema, waitMs) {
      await declareConsumer(connection, consumer);
      const source = await stream.consumers.get(consumer.stream, consumer.config.durable_name);
      const raw = await source.next({ expires: Math.max(waitMs, 1000) });
      return raw === null ? null : takenOf(raw, schema, log);
    },
    async holds(name, sequence) {
      const manager = await connection.jetstreamManager();
      return manager.streams.getMessage(name, { seq: sequence }).then(
        () => true,
        (error) => {
          // 10037: no message at this sequence; 10059: no such stream. Anything else is no answer at all.
          if (error instanceof NatsError && [10037, 10059].includes(error.api_error?.err_code ?? 0))
            return false;
          throw error;
        },
      );
    },
    check: () => connection.rtt().then(() => undefined),
    close: () => connection.drain(),
  };
}

async function hearAll<M>(
  from: Subscription,
  schema: z.ZodType<M>,
  hear: (m: M, t: Trail) => void,
  log: Logger,
) {
  for await (const raw of from) {
    const parsed = schema.safeParse(safeDecode(raw.data));
    if (parsed.success) hear(parsed.data, trailOf(raw.headers));
    else log.warn({ subject: raw.subject }, "message of an unknown shape was dropped");
  }
}

function safeDecode(data: Uint8Array): unknown {
  try {
    return codec.decode(data);
  } catch {
    return undefined;
  }
}

async function ask<Q, A>(
  connection: NatsConnection,
  { subject, answer }: RequestContract<Q, A>,
  question: Q,
  { trail, timeoutMs = 10_000 }: { trail?: Trail; timeoutMs?: number },
): Promise<A> {
  const raw = await connection
    .request(subject, codec.encode(question), { timeout: timeoutMs, headers: headersOf(trail) })
    .catch((cause) => {
      throw new Failure("unavailable", "A part of the service is not available. Try again shortly.", {
        cause,
        retryAfterSeconds: 5,
      });
    });
  const parsed = reply.parse(codec.decode(raw.data));
  if (parsed.ok) return answer.parse(parsed.answer);
  const { code, message, details, retryAfterSeconds } = parsed.failure;
  throw new Failure(code, message, {
    ...(details === undefined ? {} : { details }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

async function answerAll<Q, A>(
  questions: Subscription,
  contract: RequestContract<Q, A>,
  give: (question: Q, trail: Trail) => Promise<A>,
  log: Logger,
): Promise<void> {
  for await (const raw of questions) {
    const trail = trailOf(raw.headers);
    // Not awaited: a slow answer must not hold up the next question.
    void Promise.resolve()
      .then(() => give(contract.question.parse(codec.decode(raw.data)), trail))
      .then(
        (answer) => ({ ok: true, answer }),
        (thrown) => {
          const failure = asFailure(thrown);
          if (failure.code === "internal_error")
            log.error({ ...trail, err: thrown, subject: contract.subject }, "question failed");
          const { code, message, details, retryAfterSeconds } = failure;
          return { ok: false, failure: { code, message, details, retryAfterSeconds } };
        },
      )
      .then((answered) => raw.respond(codec.encode(answered)))
      .catch((err) => log.error({ err, subject: contract.subject }, "answer could not be sent"));
  }
}

async function declareConsumer(connection: NatsConnection, { stream, config }: Consumer): Promise<void> {
  const manager = await connection.jetstreamManager();
  await manager.consumers.add(stream, config);
}

async function openConsumer(
  connection: NatsConnection,
  consumer: Consumer,
  atOnce: number,
): Promise<ConsumerMessages> {
  await declareConsumer(connection, consumer);
  const source = await connection.jetstream().consumers.get(consumer.stream, consumer.config.durable_name);
  return source.consume({ max_messages: atOnce });
}

async function handleAll<M>(
  messages: ConsumerMessages,
  schema: z.ZodType<M>,
  handle: (taken: Taken<M>) => Promise<void>,
  log: Logger,
) {
  for await (const raw of messages) {
    const taken = takenOf(raw, schema, log);
    if (taken === null) continue;
    void handle(taken).catch((err) => {
      log.error({ ...taken.trail, err, subject: raw.subject }, "message could not be handled");
      taken.later(5000);
    });
  }
}

function takenOf<M>(raw: JsMsg, schema: z.ZodType<M>, log: Logger): Taken<M> | null {
  const parsed = schema.safeParse(safeDecode(raw.data));
  if (!parsed.success) {
    log.error({ subject: raw.subject, sequence: raw.seq }, "message of an unknown shape was dropped");
    // Without a reason: 2.9.10 ignores a term that carries one.
    raw.term();
    return null;
  }
  return {
    message: parsed.data,
    trail: trailOf(raw.headers),
    ack: () => raw.ack(),
    later: (delayMs) => raw.nak(delayMs),
    working: () => raw.working(),
  };
}
