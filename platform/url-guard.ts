import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Failure } from "./contracts/failures.ts";
import { specialRangeOf } from "./public-address.ts";

export type UrlGuard = {
  /**
   * Judges a URL by itself: http or https, and no address of ours written out. Names are judged when they are dialled.
   * @throws Failure url_not_allowed
   */
  checkUrl: (url: string) => URL;
  /** Resolves a name for a socket. Every address must be public, and only these are dialled: no second look-up. */
  lookup: LookupFunction;
};

type Options = {
  /** Host names and addresses, without port, that are let through although they are private. */
  allowedHosts: readonly string[];
  lookup?: typeof systemLookup;
};

/** Keeps requests that a customer's URL makes us send away from our own network. */
export function createUrlGuard({ allowedHosts, lookup = systemLookup }: Options): UrlGuard {
  const allowed = new Set(allowedHosts.map(plainHost));

  function checkUrl(text: string): URL {
    const url = URL.parse(text);
    if (url === null || !["http:", "https:"].includes(url.protocol)) throw notAllowed();
    const host = plainHost(url.hostname);
    if (host === "") throw notAllowed();
    if (!allowed.has(host) && isOurs(host)) throw notAllowed();
    return url;
  }

  const guardedLookup: LookupFunction = (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      const refused = addresses.some(({ address }) => specialRangeOf(address) !== null);
      const [first] = addresses;
      if (first === undefined || (refused && !allowed.has(plainHost(hostname))))
        return done(notAllowed(), []);
      if (options.all === true) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };

  return { checkUrl, lookup: guardedLookup };
}

/** One text for every refusal: which names exist in our network, and where they lead, is nobody's business. */
export function notAllowed(cause?: unknown): Failure {
  return new Failure(
    "url_not_allowed",
    "This URL cannot be used: it must be http or https and lead to a public address.",
    { cause },
  );
}

/** The refusal inside an error that a client threw on its account, or null. */
export function refusalIn(error: unknown): Failure | null {
  if (error instanceof Failure) return error;
  return error instanceof Error && error.cause !== undefined ? refusalIn(error.cause) : null;
}

/** `localhost` and its subdomains always mean this machine (RFC 6761 §6.3), whatever a resolver would say. */
function isOurs(host: string): boolean {
  if (isIP(host) !== 0) return specialRangeOf(host) !== null;
  return host === "localhost" || host.endsWith(".localhost");
}

/** As URLs write it, less brackets and the root's dot: the parser has turned `0x7f.1` and `①②⑦.1` into 127.0.0.1. */
function plainHost(host: string): string {
  const bracketed = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const parsed = URL.parse(`http://${bracketed}`)?.hostname ?? host;
  return parsed.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}
