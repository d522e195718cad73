import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import t from "tap";
import { signPayload } from "../../webhooks/delivering/sign-payload.ts";
import { ownFolder } from "../support/start-servers.ts";

const docs = join(import.meta.dirname, "..", "..", "docs");
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwxkUCmrfRUu8=";
const body = Buffer.from('{"event":"signature_request.completed","data":{"title":"Müller"}}');
const messageId = "evt_01kb2v0f5w8x3t9q6r7y1n2m4p";

function signed(at: Date, previousSecret: string | null = null): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const signer = signPayload({ secret, previousSecret, messageId, timestamp });
  signer.update(body);
  return { "x-service-event": "signature_request.completed", ...signer.headers() };
}

t.test("the example receiver", async (t) => {
  const child = spawn(process.execPath, [join(docs, "examples", "receive-webhooks.ts")], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.teardown(() => child.kill());
  const lines = createInterface({ input: child.stdout });
  const [first] = (await once(lines, "line")) as [string];
  const url = `http://127.0.0.1:${first.split(" ").at(-1)}/`;
  const send = async (headers: Record<string, string>, bytes = body) =>
    (await fetch(url, { method: "POST", headers, body: new Uint8Array(bytes) })).status;

  t.equal(await send(signed(new Date())), 204, "takes what we have signed");
  t.equal(await send(signed(new Date(), secret)), 204, "and what two secrets have signed");
  t.equal(await send(signed(new Date()), Buffer.from(`${body} `)), 401, "refuses another body");
  t.equal(await send(signed(new Date(Date.now() - 3600_000))), 401, "refuses a replay");
  t.equal(await send({}), 401, "refuses what is not signed");
});

t.test("the commands of the guide compute our signatures", async (t) => {
  const guide = await readFile(join(docs, "webhooks.md"), "utf8");
  const script = guide.split("## Checking a signature by hand")[1]?.match(/```sh\n([\s\S]*?)```/)?.[1] ?? "";
  const folder = await ownFolder(t);
  await writeFile(join(folder, "body.json"), body);
  const headers = signed(new Date());
  const { stdout } = await promisify(execFile)("sh", ["-c", script], {
    cwd: folder,
    env: {
      ...process.env,
      SECRET: secret,
      WEBHOOK_ID: messageId,
      WEBHOOK_TIMESTAMP: headers["webhook-timestamp"],
    },
  });
  const [plain, standard] = stdout.trim().split("\n");
  t.equal(plain, headers["x-service-signature"]);
  t.equal(`v1,${standard}`, headers["webhook-signature"]);
});
