import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** The whole of a request: twenty files of 100 MB over a slow line. One that stalls is given up much earlier. */
const requestMs = 30 * 60_000;
const headersMs = 20_000;
/** Longer than load balancers keep theirs, so that it is never we who close a connection they are about to use. */
const idleConnectionMs = 75_000;

/** Serves HTTP. `close` takes no new connections and lets the calls under way end. */
export function listen(
  serve: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer(
    { requestTimeout: requestMs, headersTimeout: headersMs, keepAliveTimeout: idleConnectionMs },
    serve,
  );
  // Whether the client shall go on is told where the body is read, after everything else was judged.
  server.on("checkContinue", serve);
  const close = () =>
    new Promise<void>((resolve) => {
      // A connection that is kept alive past its last answer would keep the server open with it.
      const sweep = setInterval(() => server.closeIdleConnections(), 100);
      server.close(() => {
        clearInterval(sweep);
        resolve();
      });
    });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve({ port: (server.address() as AddressInfo).port, close }));
  });
}
