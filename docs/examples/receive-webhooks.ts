/**
 * A receiver of webhooks in plain Node, without dependencies:
 *
 *   WEBHOOK_SECRET='whsec_…' PORT=3000 node docs/examples/receive-webhooks.ts
 *
 * It verifies each delivery, answers at once, does the work afterwards, and passes over what it has done already.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";

const secret = process.env.WEBHOOK_SECRET ?? "";
const toleranceSeconds = 300;
/** In production: a table with a unique key, so that it outlives the process. */
const done = new Set<string>();

/** Is this body ours, unchanged, and no replay? The signature is over the raw bytes: never over re-written JSON. */
function isGenuine(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const id = String(headers["webhook-id"]);
  const timestamp = Number(headers["webhook-timestamp"]);
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= toleranceSeconds)) return false;
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  // Several while a secret is being rotated: one that fits is enough.
  return String(headers["webhook-signature"])
    .split(" ")
    .map((signature) => Buffer.from(signature.replace(/^v1,/, ""), "base64"))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

/** The same without protection from replays: the header of the API document. */
function hasPlainSignature(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(String(headers["x-service-signature"]));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const server = createServer(async (request, response) => {
  const body = await bodyOf(request);
  const { headers } = request;
  if (!isGenuine(headers, body) || !hasPlainSignature(headers, body)) {
    response.writeHead(401).end("the signature does not fit");
    return;
  }
  // Within 15 s, before the work: a receiver that is slow is taken for one that failed.
  response.writeHead(204).end();
  const id = String(headers["webhook-id"]);
  if (done.has(id)) return;
  done.add(id);
  console.log(
    headers["x-service-sequence"],
    headers["x-service-event"],
    id,
    body.toString("utf8").slice(0, 200),
  );
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  const address = server.address();
  console.log("listening on", typeof address === "object" ? address?.port : address);
});
