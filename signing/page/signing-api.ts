import type { Fault } from "../../platform/contracts/failures.ts";
import type { CompleteBody, CompletedData, SigningView } from "../../platform/contracts/http-api/sign.ts";

/** An answer that was not the hoped-for: the code and message of the service, or `offline`. */
export class Refusal extends Error {
  readonly code: string;
  /** What of the sent values was refused. */
  readonly details: readonly Fault[];
  constructor(code: string, message: string, details: readonly Fault[] = []) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

export type SigningApi = {
  view: () => Promise<SigningView>;
  open: () => Promise<void>;
  complete: (body: CompleteBody) => Promise<CompletedData>;
  documentUrl: string;
  downloadUrl: string;
};

/** The service behind one signing link. */
export function signingApi(linkPath: string): SigningApi {
  return {
    view: () => call<SigningView>(`${linkPath}/request`),
    open: async () => void (await call(`${linkPath}/open`, {})),
    complete: (body) => call<CompletedData>(`${linkPath}/complete`, body),
    documentUrl: `${linkPath}/document`,
    downloadUrl: `${linkPath}/download`,
  };
}

/** Longer than any answer takes: a connection that was lost without a word is told as one. */
const timeoutMs = 30_000;

async function call<Data>(path: string, body?: object): Promise<Data> {
  const response = await fetch(path, {
    ...(body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    credentials: "omit",
    cache: "no-store",
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((cause: unknown) => {
    throw new Refusal("offline", String(cause));
  });
  const answer = await response.json().catch(() => null);
  if (response.ok && answer?.success === true) return answer.data;
  const { code = "offline", message = response.statusText, details = [] } = answer?.error ?? {};
  throw new Refusal(code, message, details);
}
