import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import t from "tap";
import { ownFolder } from "../support/start-servers.ts";

t.test("npm start on a port that is taken says so, and starts nothing", async (t) => {
  const holder = createServer();
  const port = await new Promise<number>((resolve) => {
    holder.listen(0, "127.0.0.1", () => resolve((holder.address() as { port: number }).port));
  });
  t.teardown(() => holder.close());
  const launcher = join(import.meta.dirname, "../../deploy/local.ts");
  const env = { ...process.env, PORT: String(port), DATA_DIR: await ownFolder(t) };
  const { code, said } = await new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, [launcher], { env }, (error, said) => resolve({ code: error?.code, said }));
  });
  t.equal(code, 1);
  t.equal(
    said.trim(),
    `Port ${port} of 127.0.0.1 is taken. Set PORT to another one, and DATA_DIR to run a second copy.`,
  );
});
