import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import t, { type Test } from "tap";
import { createSafeFetch } from "../../../platform/safe-fetch.ts";
import { createPost, type PostLimits } from "../../../webhooks/delivering/post.ts";
import { expiredCertificate } from "../../support/expired-certificate.ts";
import { startReceiver } from "../../support/webhook-receiver.ts";

const limits: PostLimits = { answerMs: 400, slowestBytesPerSecond: 1_000_000, keptBytes: 2048 };
const json = Buffer.from('{"event":"webhook.test"}');

function poster(t: Test, of: { allowedHosts?: string[]; limits?: PostLimits } = {}) {
  const { client } = createSafeFetch({ allowedHosts: of.allowedHosts ?? ["127.0.0.1", "localhost"] });
  const { post, close } = createPost(client, of.limits ?? limits);
  t.teardown(close);
  return (url: string) => post({ url, headers: { "x-test": "1" }, body: { size: json.length, bytes: json } });
}

/** A server that speaks as it likes; `speak` is called once the request has begun to arrive. */
async function rawReceiver(t: Test, speak: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => speak(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

t.test("an answer is recorded as what it was", async (t) => {
  const post = poster(t);
  for (const [status, outcome] of [
    [200, "delivered"],
    [204, "delivered"],
    [299, "delivered"],
    [301, "redirected"],
    [400, "refused"],
    [410, "gone"],
    [429, "refused"],
    [503, "refused"],
  ] as const) {
    const { url } = await startReceiver(t, (_, response) =>
      response.writeHead(status, { "retry-after": "7", location: "http://localhost/elsewhere" }).end("why"),
    );
    const posted = await post(url);
    t.match(posted, { outcome, statusCode: status, retryAfter: "7" }, `${status} is ${outcome}`);
  }
});

t.test("what is hostile or broken holds nothing up", async (t) => {
  const post = poster(t);

  t.test("a receiver that never answers", async (t) => {
    const posted = await post(await rawReceiver(t, () => undefined));
    t.match(posted, { outcome: "timed_out", statusCode: null });
  });

  t.test("a head that drips a byte at a time", async (t) => {
    const url = await rawReceiver(t, (socket) => {
      const drip = setInterval(() => socket.write("H"), 50);
      socket.write("HTTP/1.1 200 OK\r\nx: ");
      socket.once("close", () => clearInterval(drip));
    });
    t.match(await post(url), { outcome: "timed_out", statusCode: null });
  });

  t.test("a body that drips: the status counts, and the rest is not waited for", async (t) => {
    const url = await rawReceiver(t, (socket) => {
      const drip = setInterval(() => socket.write("1\r\nx\r\n"), 50);
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      socket.once("close", () => clearInterval(drip));
    });
    const began = performance.now();
    const posted = await post(url);
    t.match(posted, { outcome: "delivered", statusCode: 200 });
    t.match(posted.responseBody?.toString(), /^x+$/);
    t.ok(performance.now() - began < 2000);
  });

  t.test("an endless body: 2 KB are kept, and the connection is closed", async (t) => {
    const closed = Promise.withResolvers<void>();
    const url = await rawReceiver(t, (socket) => {
      socket.once("close", () => closed.resolve());
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const flood = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 65)));
      };
      socket.on("drain", flood);
      flood();
    });
    const posted = await post(url);
    t.match(posted, { outcome: "delivered", statusCode: 200 });
    t.equal(posted.responseBody?.length, 2048);
    await closed.promise;
  });

  t.test("a connection closed in the middle", async (t) => {
    const url = await rawReceiver(t, (socket) => socket.destroy());
    t.match(await post(url), { outcome: "connection_closed" });
  });

  t.test("an answer that is not HTTP", async (t) => {
    const url = await rawReceiver(t, (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"));
    t.match(await post(url), { outcome: "invalid_answer" });
  });

  t.test("a port where nobody listens", async (t) => {
    t.match(await post("http://127.0.0.1:1/"), { outcome: "unreachable" });
  });
});

t.test("a redirect is not followed, least of all into our network", async (t) => {
  const post = poster(t);
  const inside = await startReceiver(t);
  const { url } = await startReceiver(t, (_, response) =>
    response.writeHead(307, { location: inside.url }).end(),
  );
  t.match(await post(url), { outcome: "redirected", statusCode: 307 });
  t.same(inside.received, []);
});

t.test("a name that leads to a private address on a later look-up is refused", async (t) => {
  const answers = ["127.0.0.1", "10.0.0.7"];
  const { client } = createSafeFetch({
    allowedHosts: [],
    lookup: ((_name: string, _options: object, done: (error: null, all: object[]) => void) =>
      done(null, [{ address: answers.shift() ?? "10.0.0.7", family: 4 }])) as never,
  });
  const { post, close } = createPost(client, limits);
  t.teardown(close);
  for (const url of [
    "http://rebind.example/",
    "http://rebind.example/",
    "http://[::1]/",
    "http://127.0.0.1/",
  ]) {
    t.match(await post({ url, headers: {}, body: { size: 0, bytes: Buffer.alloc(0) } }), {
      outcome: "url_not_allowed",
      statusCode: null,
    });
  }
});

t.test("an expired certificate is recorded as such", async (t) => {
  const { key, cert, authority } = expiredCertificate();
  const server = createHttps({ key, cert }, (_, answer) => answer.end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => server.close());
  const { client } = createSafeFetch({ allowedHosts: ["127.0.0.1"] });
  const { post, close } = createPost(client.extend({ https: { certificateAuthority: authority } }), limits);
  t.teardown(close);
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const posted = await post({ url, headers: {}, body: { size: json.length, bytes: json } });
  t.match(posted, { outcome: "tls_failed", statusCode: null, error: { code: "CERT_HAS_EXPIRED" } });
});

t.test("a large body is streamed, and a slower receiver has the time it takes", async (t) => {
  const chunk = randomBytes(1024 * 1024);
  const count = 16;
  const sent = createHash("sha256");
  const source = function* () {
    for (let made = 0; made < count; made++) {
      sent.update(chunk);
      yield chunk;
    }
  };
  const arrived = createHash("sha256");
  const server = createHttp(async (request, response) => {
    // Longer than an answer may take, since that time begins with the last byte.
    await pause(2 * limits.answerMs);
    for await (const data of request) arrived.update(data);
    response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => server.close());
  const { client } = createSafeFetch({ allowedHosts: ["127.0.0.1"] });
  const { post, close } = createPost(client, limits);
  t.teardown(close);
  const posted = await post({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    headers: {},
    body: { size: count * chunk.length, open: () => Readable.from(source()) },
  });
  t.match(posted, { outcome: "delivered", statusCode: 204 });
  t.equal(arrived.digest("hex"), sent.digest("hex"));
});

t.test("a body that we cannot read is our fault, not the receiver's", async (t) => {
  const { url } = await startReceiver(t);
  const { client } = createSafeFetch({ allowedHosts: ["127.0.0.1"] });
  const { post, close } = createPost(client, limits);
  t.teardown(close);
  const open = () =>
    new Readable({
      read() {
        this.destroy(new Error("the blob is gone"));
      },
    });
  t.match(await post({ url, headers: {}, body: { size: 10, open } }), { outcome: "internal_error" });
});

t.test("an idle connection that the receiver has closed costs no try", async (t) => {
  const { url, received } = await startReceiver(t, (_, response) => {
    response.writeHead(204).end();
    // Closed as soon as the answer is out, without a word: what servers and load balancers do after a while.
    setImmediate(() => response.socket?.destroy());
  });
  const post = poster(t);
  for (let sent = 1; sent <= 5; sent++) t.match(await post(url), { outcome: "delivered" });
  t.equal(received.length, 5);
});
