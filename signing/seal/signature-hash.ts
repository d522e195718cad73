/** A signer's `signature_hash`: one number that stands for who signed what, when, after which history. */
import { createHash } from "node:crypto";
import { canonicalJson, type JsonObject } from "./canonical-json.ts";
import type { PlacedValue } from "./placed-value.ts";

/** Everything that the hash covers. All of it is kept in the `signed` entry, so anyone can recompute the hash. */
export type SignatureFacts = {
  /** SHA-256 in hex of the original document that the signer saw. */
  documentSha256: string;
  signer: { id: string; name: string; email: string; order: number };
  values: readonly PlacedValue[];
  /** ISO 8601 in UTC with milliseconds. */
  signedAt: string;
  /** `hash` of the audit entry before the `signed` one. */
  previousHash: string;
};

/** `details` of a `signed` audit entry. Drawings stand there by their hash: they are in the PDF itself. */
export type SignedDetails = {
  signer: { id: string; name: string; email: string; order: number };
  values: readonly JsonObject[];
  signatureHash: string;
};

/**
 * SHA-256, in lower-case hex, of the RFC 8785 text of
 * `{documentSha256, previousHash, signedAt, signer: {email, id, name, order}, values: […]}`.
 */
export function signatureHash(facts: SignatureFacts): string {
  return hashOfFacts(facts, facts.values.map(valueAsHashed));
}

/** The `details` to store with a `signed` audit entry; its `signatureHash` is the signer's. */
export function signedDetails(facts: SignatureFacts): JsonObject & SignedDetails {
  const values = facts.values.map(valueAsHashed);
  const { id, name, email, order } = facts.signer;
  return { signer: { id, name, email, order }, values, signatureHash: hashOfFacts(facts, values) };
}

/** The hash over values that are already in the form of `SignedDetails`, as a verifier has them. */
export function hashOfFacts(facts: Omit<SignatureFacts, "values">, values: readonly JsonObject[]): string {
  const { id, name, email, order } = facts.signer;
  const text = canonicalJson({
    documentSha256: facts.documentSha256,
    previousHash: facts.previousHash,
    signedAt: facts.signedAt,
    signer: { id, name, email, order },
    values,
  });
  return createHash("sha256").update(text).digest("hex");
}

function valueAsHashed(value: PlacedValue): JsonObject {
  const { page, x, y, width, height } = value.box;
  const place = { fieldId: value.fieldId, type: value.type, box: { page, x, y, width, height } };
  switch (value.ink.kind) {
    case "text":
      return { ...place, text: value.ink.text };
    case "checkbox":
      return { ...place, checked: value.ink.checked };
    case "typed":
      return { ...place, typed: value.ink.text, font: value.ink.font };
    case "drawn":
      return { ...place, drawnSvgSha256: sha256(value.ink.svg) };
    case "image":
      return { ...place, imagePngSha256: sha256(Buffer.from(value.ink.pngBase64, "base64")) };
  }
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
