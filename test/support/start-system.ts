import { join } from "node:path";
import type { Test } from "tap";
import {
  type ProcessName,
  type ServiceName,
  type System,
  startSystem as startProcesses,
} from "../../deploy/system.ts";
import { layMariadb, ownFolder } from "./start-servers.ts";

export type TestSystem = System & {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  baseUrl: string;
  dataDir: string;
  /** Every line that the services have written, newest last. */
  lines: { from: ProcessName; line: string }[];
};

type Options = { env?: Record<string, string>; run?: readonly ServiceName[] };

/** The real system, with stores of its own on free ports, stopped after the test. A service that dies is started again. */
export async function startSystem(t: Test, { env = {}, run }: Options = {}): Promise<TestSystem> {
  const dataDir = await ownFolder(t);
  await layMariadb(join(dataDir, "mariadb"));
  const lines: TestSystem["lines"] = [];
  const system = await startProcesses({
    dataDir,
    env: { PORT: "0", RATE_LIMIT_PER_MINUTE: "1000000", URL_ALLOWED_HOSTS: "127.0.0.1,localhost", ...env },
    ...(run === undefined ? {} : { run }),
    onLine: (from, line) => lines.push({ from, line }),
    onRestart: () => undefined,
  });
  t.teardown(() => system.stop());
  return { ...system, baseUrl: `http://127.0.0.1:${system.port}`, dataDir, lines };
}
