import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import got, { type Got } from "got";
import { createDownload, type Download } from "./download.ts";
import { createUrlGuard, type UrlGuard } from "./url-guard.ts";

/** Requests to addresses that customers name. Nothing else in the project talks to the open internet. */
export type SafeFetch = {
  checkUrl: UrlGuard["checkUrl"];
  /**
   * A got whose every request passes the guard. It follows no redirects, tries once, and hands over any status.
   * What the guard refused comes as an error that `refusalIn` (url-guard.ts) reads.
   */
  client: Got;
  download: Download;
};

/** @param options see `createUrlGuard` */
export function createSafeFetch(options: Parameters<typeof createUrlGuard>[0]): SafeFetch {
  const { checkUrl, lookup } = createUrlGuard(options);
  const client = got.extend({
    // Agents of our own: Node's global ones follow the proxy variables, and a proxy would resolve names unguarded.
    agent: { http: new HttpAgent(), https: new HttpsAgent() },
    dnsLookup: lookup,
    followRedirect: false,
    retry: { limit: 0 },
    throwHttpErrors: false,
    headers: { "user-agent": "pdf-signing-service" },
    // A socket asks no look-up for an address written out, so the URL is judged here as well.
    hooks: { beforeRequest: [({ url }) => void checkUrl(String(url))] },
  });
  return { checkUrl, client, download: createDownload({ client, checkUrl }) };
}
