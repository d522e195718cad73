/** The service's own key and certificate chain: what every seal is made with. */
import { createPrivateKey, randomUUID, X509Certificate } from "node:crypto";
import { link, mkdir, readFile, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeCertificate } from "./make-certificate.ts";
import { readPkcs12 } from "./read-pkcs12.ts";
import { writeDurably } from "./write-durably.ts";

/** Plain data, so that it can be posted to a sealing thread. Never logged, never stored elsewhere. */
export type SigningKey = {
  /** PKCS #8, DER. */
  privateKey: Uint8Array;
  /** X.509 DER, the signer's own certificate first, then its issuers. */
  certificates: readonly Uint8Array[];
};

export type KeySource = {
  /** `SIGNING_P12`: a PKCS #12 file; undefined to use, or first make, a key of the service's own. */
  p12Path?: string | undefined;
  p12Password?: string | undefined;
  /** Where a key of the service's own is kept, readable by nobody else. */
  folder: string;
  /** The name on a certificate of its own. */
  commonName: string;
};

/** @throws Error, for the operator, when the given file holds no key or is not readable with the password */
export async function loadSigningKey(source: KeySource): Promise<SigningKey> {
  if (source.p12Path !== undefined)
    return readPkcs12(await readFile(source.p12Path), source.p12Password ?? "");
  const path = join(source.folder, "signing-key.pem");
  const known = await readKeyFile(path);
  if (known) return known;
  await offerNewKey(path, source.commonName);
  const settled = await readKeyFile(path);
  if (settled === undefined) throw new Error(`${path} was removed while the service started`);
  return settled;
}

/** The chain as PEM, the service's own certificate first: what customers download and pin. */
export function certificatePem(key: SigningKey): string {
  return key.certificates.map((der) => pem("CERTIFICATE", der)).join("");
}

// Of several processes that start at once, the first link wins and all of them read its key.
async function offerNewKey(path: string, commonName: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = makeCertificate(commonName, new Date());
  const offered = `${path}.${randomUUID()}`;
  await writeDurably(offered, [Buffer.from(pem("PRIVATE KEY", fresh.privateKey) + certificatePem(fresh))]);
  try {
    await link(offered, path);
  } catch (fault) {
    if (!isCode(fault, "EEXIST")) throw fault;
  } finally {
    await unlink(offered);
  }
}

async function readKeyFile(path: string): Promise<SigningKey | undefined> {
  try {
    const text = await readFile(path, "latin1");
    const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    return {
      privateKey: createPrivateKey(text).export({ type: "pkcs8", format: "der" }),
      certificates: certificates.map((certificate) => new X509Certificate(certificate).raw),
    };
  } catch (fault) {
    if (isCode(fault, "ENOENT")) return undefined;
    throw fault;
  }
}

function isCode(fault: unknown, code: string): boolean {
  return fault instanceof Error && "code" in fault && fault.code === code;
}

function pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
