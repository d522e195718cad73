import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Test } from "tap";

/** A delivery as it arrived. */
export type Received = {
  path: string;
  headers: Record<string, string>;
  /** The raw body, as the signature is over it. */
  body: string;
  at: number;
};

export type Receiver = {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  url: string;
  received: Received[];
  /** Resolves with all that has arrived once `enough` says so. */
  until: (enough: (received: readonly Received[]) => boolean) => Promise<Received[]>;
};

/** How a receiver answers once a body has come. */
export type Answering = (received: Received, response: ServerResponse, request: IncomingMessage) => void;

const ok: Answering = (_, response) => response.writeHead(204).end();

/** A customer's server, closed after the test. */
export async function startReceiver(t: Test, answer: Answering = ok): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => undefined);
    for await (const chunk of request) chunks.push(chunk);
    const one = {
      path: request.url ?? "",
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString("utf8"),
      at: Date.now(),
    };
    received.push(one);
    answer(one, response, request);
    for (const look of waiting) look();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    until: (enough) =>
      new Promise((resolve) => {
        const look = () => {
          if (!enough(received)) return;
          waiting.delete(look);
          resolve([...received]);
        };
        waiting.add(look);
        look();
      }),
  };
}
