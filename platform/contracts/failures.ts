/**
 * Every way a call or a job can fail, once: the code a customer reads, what it means to HTTP, and whether
 * trying the same thing again can help. Nothing else maps a code to a status.
 */
export const failures = {
  invalid_json: { status: 400, retryable: false },
  invalid_idempotency_key: { status: 400, retryable: false },
  unauthorized: { status: 401, retryable: false },
  plan_required: { status: 402, retryable: false },
  insufficient_permissions: { status: 403, retryable: false },
  not_found: { status: 404, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  invalid_state: { status: 409, retryable: false },
  idempotency_in_progress: { status: 409, retryable: true },
  file_too_large: { status: 413, retryable: false },
  body_too_large: { status: 413, retryable: false },
  unsupported_media_type: { status: 415, retryable: false },
  validation_failed: { status: 422, retryable: false },
  idempotency_mismatch: { status: 422, retryable: false },
  invalid_pdf: { status: 422, retryable: false },
  encrypted_pdf: { status: 422, retryable: false },
  invalid_image: { status: 422, retryable: false },
  signed_pdf: { status: 422, retryable: false },
  unsupported_pdf: { status: 422, retryable: false },
  too_complex: { status: 422, retryable: false },
  url_not_allowed: { status: 422, retryable: false },
  download_failed: { status: 422, retryable: true },
  rate_limited: { status: 429, retryable: true },
  internal_error: { status: 500, retryable: true },
  unavailable: { status: 503, retryable: true },
  overloaded: { status: 503, retryable: true },
  processing_timeout: { status: 504, retryable: false },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type FailureCode = keyof typeof failures;

/** One fault of an input, by its path in the body (`signers[1].email`). */
export type Fault = { path: string; message: string };

export type FailureOptions = {
  /** For our logs only, never for the caller. */
  cause?: unknown;
  /** Every fault of a `validation_failed`. */
  details?: readonly Fault[];
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number;
};

/** The one error type. `message` is for the caller: what failed, and what to do next. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: FailureCode;
  readonly details: readonly Fault[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: FailureCode, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

const internalMessage = "Something failed on our side. Try again; if it goes on, tell us the request id.";

/** Whatever was thrown, as a Failure: an unknown error keeps its story in `cause` and says nothing of it. */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  return new Failure("internal_error", internalMessage, { cause: thrown });
}

/** A failure as data: what crosses a thread or the bus, where classes and codes are lost. */
export type FailureData = { code: FailureCode; message: string; details?: readonly Fault[] | undefined };

/** The failure of a fault in one place of the input. */
export function validationFailure(path: string, message: string): Failure {
  return new Failure("validation_failed", `${path}: ${message}`, { details: [{ path, message }] });
}
