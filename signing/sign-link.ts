import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/**
 * The link in a signer's mail. Its token is the signer's id without prefix and, in base64url, the 256 bits of an
 * HMAC-SHA256 of it. Nothing of it is stored, so a stolen database opens nothing, and a reminder sends the same link.
 */
export type SignLink = {
  urlOf: (signerId: string) => string;
  /** The signer whose link this is, or null for a token that was not made here. */
  signerOf: (token: string) => string | null;
};

const prefix = "sgn_";
const tokenForm = /^([0-9a-z]{26})([A-Za-z0-9_-]{43})$/;

/**
 * @param key at least 32 bytes that are not in the database
 * @param baseUrl without a slash at its end
 */
export function createSignLink({ key, baseUrl }: { key: Uint8Array; baseUrl: string }): SignLink {
  const macOf = (id: string) => createHmac("sha256", key).update(`sign-link ${id}`).digest("base64url");
  return {
    urlOf(signerId) {
      const id = signerId.slice(prefix.length);
      return `${baseUrl}/sign/${id}${macOf(id)}`;
    },
    signerOf(token) {
      const [, id, mac] = tokenForm.exec(token) ?? [];
      if (id === undefined || mac === undefined) return null;
      // As text: the last character of 32 bytes in base64url has spare bits, and only one spelling is the link.
      return timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(id))) ? prefix + id : null;
    },
  };
}

/** The key for links from the services' common secret (RFC 5869), for those who set no key of its own. */
export function linkKeyFrom(secretsKey: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secretsKey, "", "signing links, version 1", 32));
}
