/** A trusted time for a seal (RFC 3161): what lifts PAdES B-B to B-T. */
import { createHash, randomBytes } from "node:crypto";
import { OctetString } from "asn1js";
import {
  AlgorithmIdentifier,
  Attribute,
  MessageImprint,
  SignedAndUnsignedAttributes,
  type SignedData,
  TimeStampReq,
  TimeStampResp,
} from "pkijs";
import { Failure } from "../../../platform/contracts/failures.ts";
import type { PadesLevel, TimestampPolicy } from "../seal-order.ts";
import { oid } from "./oids.ts";
import { arrayBuffer, positiveInteger } from "./sign-digest.ts";
import { readTimestampToken } from "./timestamp-token.ts";

/** What of the DER room in a signature a token may take. */
export const maxTokenBytes = 12 * 1024;

const timeoutMs = 10_000;

export type Timestamped = { padesLevel: PadesLevel; timestampFault: string | null };

/**
 * Asks the authority for a token over the signature and adds it. The token is checked before it is believed:
 * digest, nonce and the authority's own signature.
 * @throws Failure `unavailable` where the policy says `required` and no token can be had
 */
export async function addTimestamp(signed: SignedData, policy: TimestampPolicy | null): Promise<Timestamped> {
  if (policy === null) return { padesLevel: "B-B", timestampFault: null };
  try {
    const [signerInfo] = signed.signerInfos;
    if (signerInfo === undefined) throw new Error("nothing is signed");
    const token = await requestToken(signerInfo.signature.valueBlock.valueHexView, policy.url);
    const attribute = new Attribute({ type: oid.timestampToken, values: [token.toSchema()] });
    signerInfo.unsignedAttrs = new SignedAndUnsignedAttributes({ type: 1, attributes: [attribute] });
    return { padesLevel: "B-T", timestampFault: null };
  } catch (cause) {
    const fault = cause instanceof Error ? cause.message : String(cause);
    if (policy.mode === "best_effort") return { padesLevel: "B-B", timestampFault: fault };
    const message =
      "The timestamp authority did not answer as it should; the document will be sealed once it does.";
    throw new Failure("unavailable", message, { cause });
  }
}

async function requestToken(signature: Uint8Array, url: string) {
  const digest = createHash("sha256").update(signature).digest();
  const nonce = positiveInteger(randomBytes(8));
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: oid.sha256 }),
      hashedMessage: new OctetString({ valueHex: arrayBuffer(digest) }),
    }),
    nonce,
    certReq: true,
  });
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/timestamp-query", accept: "application/timestamp-reply" },
    body: request.toSchema().toBER(),
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`the timestamp authority answered ${response.status}`);
  const answer = TimeStampResp.fromBER(await bodyOf(response));
  // granted (0) or granted with modifications (1).
  if (answer.status.status > 1 || !answer.timeStampToken) throw new Error("the timestamp authority refused");
  const read = readTimestampToken(answer.timeStampToken, signature);
  if (!read.ok) throw new Error(read.fault);
  if (!read.nonce || !Buffer.from(read.nonce).equals(Buffer.from(nonce.valueBlock.valueHexView))) {
    throw new Error("the timestamp answers another question");
  }
  return answer.timeStampToken;
}

async function bodyOf(response: Response): Promise<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > maxTokenBytes) throw new Error("the timestamp is larger than a seal has room for");
    pieces.push(piece);
  }
  return arrayBuffer(Buffer.concat(pieces));
}
