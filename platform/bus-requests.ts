import type { NatsConnection, Subscription } from "nats";
import { decodeMessage, encodeMessage, headersOf, trailOf } from "./bus-message.ts";
import { Failure } from "./contracts/failures.ts";
import { type RequestContract, reply } from "./contracts/request.ts";
import type { Trail } from "./contracts/trail.ts";
import type { Logger } from "./log.ts";
import { answerableFailure } from "./store-is-away.ts";

/**
 * Asks another service over core NATS: at most once, so whoever asks must be able to ask again.
 * @param connected aborted when the connection breaks: no answer will come then
 */
export async function ask<Q, A>(
  connection: NatsConnection,
  connected: AbortSignal,
  { subject, answer }: RequestContract<Q, A>,
  question: Q,
  { trail, timeoutMs = 10_000 }: { trail?: Trail; timeoutMs?: number },
): Promise<A> {
  const broken = rejectionOn(connected);
  const asked = connection.request(subject, encodeMessage(question), {
    timeout: timeoutMs,
    headers: headersOf(trail),
  });
  const raw = await Promise.race([asked, broken.promise])
    .finally(broken.forget)
    .catch((cause) => {
      asked.catch(() => undefined);
      throw new Failure("unavailable", "A part of the service is not available. Try again shortly.", {
        cause,
        retryAfterSeconds: 5,
      });
    });
  const parsed = reply.parse(decodeMessage(raw.data));
  if (parsed.ok) return answer.parse(parsed.answer);
  const { code, message, details, retryAfterSeconds } = parsed.failure;
  throw new Failure(code, message, {
    ...(details === undefined ? {} : { details }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

function rejectionOn(signal: AbortSignal): { promise: Promise<never>; forget: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const broke = () => reject(new Error("the connection broke"));
  signal.addEventListener("abort", broke, { once: true });
  return { promise, forget: () => signal.removeEventListener("abort", broke) };
}

/** Answers questions as they come; a slow answer does not hold up the next question. */
export async function answerAll<Q, A>(
  questions: Subscription,
  contract: RequestContract<Q, A>,
  give: (question: Q, trail: Trail) => Promise<A>,
  log: Logger,
): Promise<void> {
  for await (const raw of questions) {
    const trail = trailOf(raw.headers);
    void Promise.resolve()
      .then(() => give(contract.question.parse(decodeMessage(raw.data)), trail))
      .then(
        (answer) => ({ ok: true, answer }),
        (thrown) => ({ ok: false, failure: failureAnswer(thrown, contract.subject, trail, log) }),
      )
      .then((answered) => raw.respond(encodeMessage(answered)))
      .catch((err) => log.error({ err, subject: contract.subject }, "answer could not be sent"));
  }
}

function failureAnswer(thrown: unknown, subject: string, trail: Trail, log: Logger) {
  const { code, message, details, retryAfterSeconds } = answerableFailure(thrown);
  if (code === "internal_error" || code === "unavailable")
    log.error({ ...trail, err: thrown, subject }, "question failed");
  return { code, message, details, retryAfterSeconds };
}
