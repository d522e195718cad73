import type { Witness } from "./change.ts";
import type { Signer } from "./request.ts";

type Connection = { ip: string; userAgent: string };

const maxUserAgent = 500;

/** A caller of the API, by its key. */
export function byKey({ keyId, ...connection }: Connection & { keyId: string }): Witness {
  return { actor: `API key ${keyId}`, ...seen(connection) };
}

/** The holder of a signer's link. */
export function byLink({ name, email }: Signer, connection: Connection): Witness {
  return { actor: `${name} <${email}>`, ...seen(connection) };
}

function seen({ ip, userAgent }: Connection) {
  // Cut where no surrogate pair is halved: the trail is hashed as UTF-8.
  return { ip, userAgent: userAgent.slice(0, maxUserAgent).toWellFormed() };
}
