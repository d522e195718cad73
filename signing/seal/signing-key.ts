/** The service's own key and certificate chain: what every seal is made with. */

/** Plain data, so that it can be posted to a sealing thread. Never logged, never stored elsewhere. */
export type SigningKey = {
  /** PKCS #8, DER. */
  privateKey: Uint8Array;
  /** X.509 DER, the signer's own certificate first, then its issuers. */
  certificates: readonly Uint8Array[];
};

/** The chain as PEM, the service's own certificate first: what customers download and pin. */
export function certificatePem(key: SigningKey): string {
  return key.certificates.map(pemOf).join("");
}

function pemOf(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
