import {
  AckPolicy,
  type ConsumerConfig,
  DiscardPolicy,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "nats";
import { type OperationName, operations } from "./contracts/pdf-job.ts";

const second = 1000;
const day = 24 * 3600 * second;

/** How long a message may be worked on without a sign of life before the stream offers it again. */
export const ackWaitMs = 20 * second;
/** How often a worker says that it is still at it: a third of the wait, so that one lost sign is no harm. */
export const workingEveryMs = 6 * second;

/**
 * The streams are transport only: MySQL holds the truth, and an outbox fills them again if they are lost. The age
 * bound keeps what an old server forgets to remove (2.9.10 after a kill) from staying for ever.
 */
export const streams: readonly Partial<StreamConfig>[] = [
  {
    name: "JOBS",
    subjects: operations.map((operation) => `jobs.${operation}`),
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_age: nanos(2 * day),
    duplicate_window: nanos(120 * second),
  },
  {
    name: "EVENTS",
    subjects: ["events.>"],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_age: nanos(2 * day),
    duplicate_window: nanos(120 * second),
  },
];

export type Consumer = { stream: string; config: Partial<ConsumerConfig> & { durable_name: string } };

/**
 * One consumer an operation, so that a service dedicated to OCR takes only OCR. Deliveries are unlimited: the claim
 * counts attempts, in the job's row.
 */
export function jobsConsumer(operation: OperationName): Consumer {
  return {
    stream: "JOBS",
    config: {
      durable_name: `workers-${operation}`,
      filter_subject: `jobs.${operation}`,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ackWaitMs),
      max_deliver: -1,
    },
  };
}

export const eventsConsumer: Consumer = {
  stream: "EVENTS",
  config: {
    durable_name: "webhooks",
    ack_policy: AckPolicy.Explicit,
    // Recording takes milliseconds; what a killed process had not recorded is offered to the next one soon.
    ack_wait: nanos(5 * second),
    max_deliver: -1,
    max_ack_pending: 1000,
  },
};
