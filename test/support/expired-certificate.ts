import { generateKeyPairSync } from "node:crypto";
import forge from "node-forge";

/** A server's certificate for 127.0.0.1 that ran out yesterday, and the authority that signed it, all in PEM. */
export function expiredCertificate(): { key: string; cert: string; authority: string } {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const day = 24 * 3600 * 1000;
  const certificate = (name: string, until: number, extension: object) => {
    const made = forge.pki.createCertificate();
    made.publicKey = forge.pki.publicKeyFromPem(publicKey);
    made.serialNumber = "01";
    made.validity.notBefore = new Date(Date.now() - 10 * day);
    made.validity.notAfter = new Date(until);
    made.setSubject([{ name: "commonName", value: name }]);
    made.setIssuer([{ name: "commonName", value: "Test authority" }]);
    made.setExtensions([extension]);
    made.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
    return forge.pki.certificateToPem(made);
  };
  return {
    key: privateKey,
    cert: certificate("127.0.0.1", Date.now() - day, {
      name: "subjectAltName",
      altNames: [{ type: 7, ip: "127.0.0.1" }],
    }),
    authority: certificate("Test authority", Date.now() + day, { name: "basicConstraints", cA: true }),
  };
}
