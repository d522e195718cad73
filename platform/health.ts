import { createServer, type Server } from "node:http";
import type { Metrics } from "./metrics.ts";

/** Resolves when the dependency answers, rejects when it does not. */
export type Check = () => Promise<unknown>;

export type Readiness = { ready: boolean; dependencies: Record<string, "up" | "down"> };

/** Asks every dependency at once; one that has not answered in two seconds is down. */
export async function readiness(checks: Record<string, Check>): Promise<Readiness> {
  const states = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const),
  );
  return { ready: states.every(([, state]) => state === "up"), dependencies: Object.fromEntries(states) };
}

async function stateOf(check: Check): Promise<"up" | "down"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"down">((resolve) => {
    timer = setTimeout(resolve, 2000, "down");
  });
  const answer = check().then(
    () => "up" as const,
    () => "down" as const,
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

type Observed = {
  port: number;
  host: string;
  checks: Record<string, Check>;
  isOpen: () => boolean;
  metrics: Metrics;
};

/** `/healthz`, `/readyz` and `/metrics` of a service that has no HTTP of its own. Port 0 takes a free one. */
export function serveHealth({ port, host, checks, isOpen, metrics }: Observed): Promise<Server> {
  const server = createServer(async (request, response) => {
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { "content-type": type }).end(body);
    if (request.url === "/healthz") return send(200, "application/json", '{"alive":true}');
    if (request.url === "/metrics") return send(200, metrics.contentType, await metrics.text());
    if (request.url !== "/readyz") return send(404, "application/json", '{"error":"not found"}');
    const state = await readiness(checks);
    const ready = state.ready && isOpen();
    return send(ready ? 200 : 503, "application/json", JSON.stringify({ ...state, ready }));
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}
