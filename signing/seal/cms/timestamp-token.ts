import { createHash } from "node:crypto";
import { type ContentInfo, SignedData, TSTInfo } from "pkijs";
import { oid } from "./oids.ts";
import { verifySignerInfo } from "./verify-signer-info.ts";

export type ReadToken =
  | { ok: true; time: Date; authority: string; nonce: Uint8Array | undefined }
  | { ok: false; fault: string };

/**
 * Checks a timestamp token offline: that it is about this signature, and that whoever's certificate it carries
 * signed it. Whether that authority is to be trusted is the reader's to say.
 */
export function readTimestampToken(token: ContentInfo, signature: Uint8Array): ReadToken {
  try {
    const signed = new SignedData({ schema: token.content });
    const content = signed.encapContentInfo.eContent?.getValue();
    if (signed.encapContentInfo.eContentType !== oid.timestampInfo || content === undefined) {
      return { ok: false, fault: "the token is no timestamp" };
    }
    const info = TSTInfo.fromBER(content);
    const { hashAlgorithm, hashedMessage } = info.messageImprint;
    const name = hashNames[hashAlgorithm.algorithmId];
    const imprint = name ? createHash(name).update(signature).digest() : undefined;
    if (!imprint?.equals(hashedMessage.valueBlock.valueHexView)) {
      return { ok: false, fault: "the timestamp is of another signature" };
    }
    const checked = verifySignerInfo(
      signed,
      createHash("sha256").update(Buffer.from(content)).digest(),
      Buffer.from(content),
    );
    if (!checked.ok)
      return { ok: false, fault: `the timestamp's own signature is not valid: ${checked.fault}` };
    const nonce = info.nonce?.valueBlock.valueHexView;
    return { ok: true, time: info.genTime, authority: checked.signer, nonce };
  } catch {
    return { ok: false, fault: "the timestamp cannot be read" };
  }
}

const hashNames: Record<string, string | undefined> = {
  [oid.sha256]: "sha256",
  [oid.sha384]: "sha384",
  [oid.sha512]: "sha512",
};
