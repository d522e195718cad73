import type { AttemptOutcome } from "../../platform/contracts/webhook-delivery.ts";
import { refusalIn } from "../../platform/url-guard.ts";

/** What a status says about the delivery. Only 2xx is success; the body says nothing. */
export function meaningOfStatus(statusCode: number): AttemptOutcome {
  if (statusCode >= 200 && statusCode < 300) return "delivered";
  if (statusCode === 410) return "gone";
  if (statusCode >= 300 && statusCode < 400) return "redirected";
  return "refused";
}

/** The receiver's own failures count towards switching a webhook off; faults of ours do not. */
export function isReceiversFault(outcome: AttemptOutcome): boolean {
  return outcome !== "delivered" && outcome !== "internal_error";
}

const unreachable = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENODATA",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "EADDRNOTAVAIL",
]);
const closed = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED", "ERR_STREAM_PREMATURE_CLOSE"]);
/** OpenSSL's verification errors (X509_V_ERR_*) as Node names them, and TLS' own. */
const tls =
  /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO|INVALID_CA)/;

/** What an error of the connection says about the delivery, by its code. */
export function meaningOfError(error: unknown): AttemptOutcome {
  if (refusalIn(error) !== null) return "url_not_allowed";
  const code = codeOf(error);
  if (code === "ETIMEDOUT") return "timed_out";
  if (unreachable.has(code)) return "unreachable";
  if (closed.has(code)) return "connection_closed";
  if (tls.test(code)) return "tls_failed";
  // llhttp's codes: what came back is not HTTP.
  if (code.startsWith("HPE_")) return "invalid_answer";
  return code === "" ? "internal_error" : "unreachable";
}

/** The system's code, which clients wrap as a cause. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const inner = codeOf(error.cause);
  if (inner !== "") return inner;
  const { code } = error as { code?: unknown };
  return typeof code === "string" && code !== "ERR_GOT_REQUEST_ERROR" ? code : "";
}
