import { availableParallelism } from "node:os";
import { z } from "zod";
import { operation, operations } from "../platform/contracts/pdf-job.ts";
import { commaList, readEnv, text, variable, wholeNumber } from "../platform/read-env.ts";

const positive = wholeNumber.refine((value) => value > 0);

/** The worker service's environment. deploy/.env.example says when to change what. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  return readEnv(environment, {
    NATS_URL: variable(text, "set it to the broker, e.g. nats://nats:4222"),
    BLOB_URL: variable(text, "set it to where files lie, e.g. file:///data/blobs or s3://bucket/prefix"),
    DATA_DIR: variable(text, "set it to a folder for the work under way, e.g. /data"),
    WORKER_OPERATIONS: variable(
      commaList.pipe(z.array(operation).min(1)),
      `set it to one or more of ${operations.join(",")}`,
      [...operations],
    ),
    WORKER_SLOTS: variable(positive, "set it to how many jobs are worked on at once", availableParallelism()),
    WORKER_SLOT_MEMORY_MB: variable(positive, "set it to the memory that one job's thread may use", 1024),
    LOG_LEVEL: variable(text, "set it to debug, info, warn or error", "info"),
    HEALTH_PORT: variable(wholeNumber, "set it to a port, 0 for a free one", 0),
    HOST: variable(text, "set it to the address to listen at, 0.0.0.0 in a container", "127.0.0.1"),
  });
}

export type Config = ReturnType<typeof readConfig>;
