/** Keys as certification authorities hand them out: PKCS #12 (RFC 7292), old and new encryptions alike. */
import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import forge from "node-forge";
import type { SigningKey } from "./signing-key.ts";

/** @throws Error, for the operator, naming SIGNING_P12 and what to do */
export function readPkcs12(file: Uint8Array, password: string): SigningKey {
  const safe = openSafe(file, password);
  const bags = safe.safeContents.flatMap(({ safeBags }) => safeBags);
  const privateKey = bags.flatMap(privateKeyOf)[0];
  const certificates = bags.flatMap(certificateOf);
  if (privateKey === undefined)
    throw new Error("SIGNING_P12 holds no private key; export it again with its key.");
  return { privateKey, certificates: chainOf(privateKey, certificates) };
}

function openSafe(file: Uint8Array, password: string): forge.pkcs12.Pkcs12Pfx {
  try {
    const asn1 = forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(file).toString("latin1")));
    return forge.pkcs12.pkcs12FromAsn1(asn1, false, password);
  } catch (cause) {
    const message =
      "SIGNING_P12 cannot be read; check that it is a PKCS #12 file and that SIGNING_P12_PASSWORD fits.";
    throw new Error(message, { cause });
  }
}

// node-forge understands RSA alone; of anything else it gives the plain ASN.1.
function privateKeyOf({ key, asn1 }: forge.pkcs12.Bag): Uint8Array[] {
  if (key) return [derOf(forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key)))];
  if (!asn1) return [];
  try {
    const der = Buffer.from(derOf(asn1));
    return [
      createPrivateKey({ key: der, format: "der", type: "pkcs8" }).export({ type: "pkcs8", format: "der" }),
    ];
  } catch {
    return [];
  }
}

function certificateOf({ cert, asn1 }: forge.pkcs12.Bag): X509Certificate[] {
  const encoded = cert ? forge.pki.certificateToAsn1(cert) : asn1;
  if (!encoded) return [];
  try {
    return [new X509Certificate(derOf(encoded))];
  } catch {
    return [];
  }
}

function derOf(asn1: forge.asn1.Asn1): Uint8Array {
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), "latin1");
}

/** From the key's own certificate up to its root, as far as the file goes. */
function chainOf(privateKey: Uint8Array, certificates: readonly X509Certificate[]): Uint8Array[] {
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
  let current = certificates.find((certificate) =>
    certificate.publicKey.export({ type: "spki", format: "der" }).equals(publicKey),
  );
  if (current === undefined)
    throw new Error("SIGNING_P12 holds no certificate for its key; export it with its chain.");
  const chain = [current];
  for (;;) {
    const below: X509Certificate = current;
    current = certificates.find((above) => !chain.includes(above) && below.checkIssued(above));
    if (current === undefined) return chain.map(({ raw }) => raw);
    chain.push(current);
  }
}
