import { z } from "zod";
import { type FailureCode, failures } from "./failures.ts";

/**
 * One thing that a service may ask of another over the bus: its subject and both schemas, declared together.
 * Both ends parse with them.
 */
export type RequestContract<Question, Answer> = {
  subject: string;
  question: z.ZodType<Question>;
  answer: z.ZodType<Answer>;
};

export function defineRequest<Question, Answer>(
  subject: string,
  question: z.ZodType<Question>,
  answer: z.ZodType<Answer>,
): RequestContract<Question, Answer> {
  return { subject, question, answer };
}

const codes = Object.keys(failures) as [FailureCode, ...FailureCode[]];

/** A `Failure` as a message: its class and code would be lost on the way. */
export const failureData = z.object({
  code: z.enum(codes),
  message: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  retryAfterSeconds: z.number().optional(),
});

/** What comes back over the bus: the answer, or the failure that the other side met. */
export const reply = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), answer: z.unknown() }),
  z.object({ ok: z.literal(false), failure: failureData }),
]);
