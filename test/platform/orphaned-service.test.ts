import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { ownFolder } from "../support/start-servers.ts";

t.test("a service does not outlive a launcher that was killed while it was loading", async (t) => {
  const shutdown = new URL("../../platform/shutdown.ts", import.meta.url).href;
  const script = join(await ownFolder(t), "service.ts");
  await writeFile(
    script,
    `
    await new Promise((resolve) => process.once("disconnect", resolve));
    const { createShutdown, stopOnSignals } = await import(${JSON.stringify(shutdown)});
    const quiet = { info: () => {}, warn: () => {}, error: () => {} };
    stopOnSignals(createShutdown(quiet));
    setInterval(() => {}, 1000);
    `,
  );
  const child = fork(script, { stdio: "ignore" });
  t.teardown(() => child.kill("SIGKILL"));
  await once(child, "spawn");
  child.disconnect();
  const [code] = await once(child, "exit");
  t.equal(code, 0);
});
