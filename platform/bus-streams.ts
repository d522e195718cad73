import { type NatsConnection, NatsError } from "nats";
import { type Consumer, streams } from "./streams.ts";

export type BusStreams = {
  /** Resolves once the streams exist. Costs nothing after the first time. */
  streamsExist: () => Promise<void>;
  /** Resolves once the consumer exists, and its stream with it. */
  consumerExists: (consumer: Consumer) => Promise<void>;
  /** Called when the server may have lost what was declared: it came back with an empty store, or said so. */
  forget: () => void;
};

/** Declares streams and consumers when they are first needed, and again after a server lost them. */
export function createBusStreams(connection: NatsConnection): BusStreams {
  let declaring: Promise<void> | undefined;
  let consumers = new Map<string, Promise<void>>();

  function streamsExist(): Promise<void> {
    declaring ??= declareStreams(connection).catch((error) => {
      declaring = undefined;
      throw error;
    });
    return declaring;
  }

  function consumerExists(consumer: Consumer): Promise<void> {
    const name = consumer.config.durable_name;
    const known = consumers.get(name);
    if (known !== undefined) return known;
    const declare = () => streamsExist().then(() => declareConsumer(connection, consumer));
    const made = declare().catch((error) => {
      if (!isMissing(error)) throw error;
      declaring = undefined;
      return declare();
    });
    consumers.set(name, made);
    made.catch(() => consumers.delete(name));
    return made;
  }

  return {
    streamsExist,
    consumerExists,
    forget: () => {
      declaring = undefined;
      consumers = new Map();
    },
  };
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

async function declareConsumer(connection: NatsConnection, { stream, config }: Consumer): Promise<void> {
  const manager = await connection.jetstreamManager();
  await manager.consumers.add(stream, config).catch(async (error) => {
    if (!(error instanceof NatsError)) throw error;
    await manager.consumers.update(stream, config.durable_name, config);
  });
}

/** 10014: no such consumer; 10037: no message at this sequence; 10059: no such stream. Anything else is no answer at all. */
export function isMissing(error: unknown): boolean {
  return error instanceof NatsError && [10014, 10037, 10059].includes(error.api_error?.err_code ?? 0);
}
