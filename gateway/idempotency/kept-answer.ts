import { z } from "zod";
import { asFailure, Failure, failures } from "../../platform/contracts/failures.ts";
import { failureData } from "../../platform/contracts/request.ts";
import type { Answer } from "../route.ts";

/**
 * What is kept of an answer: enough to give it again. A job's result is large and lies in blobs already, so only
 * the job is named.
 */
export const keptAnswer = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("data"),
    status: z.number(),
    data: z.record(z.string(), z.unknown()),
    headers: z.record(z.string(), z.string()),
  }),
  z.object({ kind: z.literal("job"), jobId: z.string() }),
  z.object({ kind: z.literal("failure"), failure: failureData }),
]);
export type KeptAnswer = z.infer<typeof keptAnswer>;

/** Null for an answer that is not to be kept: bytes belong to no POST of the API. */
export function keepable(answer: Answer): KeptAnswer | null {
  if ("jobId" in answer) return { kind: "job", jobId: answer.jobId };
  if (!("data" in answer)) return null;
  const { status = 200, headers = {} } = answer;
  return { kind: "data", status, data: answer.data as Record<string, unknown>, headers };
}

/** The same for what was thrown: a refusal of the request itself is kept, a passing trouble is not. */
export function keepableFailure(thrown: unknown): KeptAnswer | null {
  const { code, message, details, retryAfterSeconds } = asFailure(thrown);
  if (failures[code].status >= 500 || notKept.has(code)) return null;
  return { kind: "failure", failure: { code, message, details: details?.slice(), retryAfterSeconds } };
}

const notKept: ReadonlySet<string> = new Set([
  "unauthorized",
  "rate_limited",
  "idempotency_in_progress",
  "idempotency_mismatch",
]);

/** Gives a kept answer again. @param openJob the answer with a job's result */
export async function replayed(
  kept: KeptAnswer,
  openJob: (jobId: string) => Promise<Answer>,
): Promise<Answer> {
  if (kept.kind === "failure") {
    const { code, message, details, retryAfterSeconds } = kept.failure;
    throw new Failure(code, message, {
      ...(details === undefined ? {} : { details }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
  if (kept.kind === "job") return openJob(kept.jobId);
  return { status: kept.status, data: kept.data, headers: kept.headers };
}
