import type { lookup as systemLookup } from "node:dns";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import t, { type Test } from "tap";
import { Failure } from "../../platform/contracts/failures.ts";
import type { DownloadLimits } from "../../platform/download.ts";
import { createSafeFetch } from "../../platform/safe-fetch.ts";
import { refusalIn } from "../../platform/url-guard.ts";

/** A server on 127.0.0.1, and how often it was asked. */
async function serve(t: Test, answer: RequestListener) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked: () => requests };
}

/** A resolver that answers the given addresses one after the other. */
function resolver(...answers: string[][]) {
  let turn = 0;
  const lookup = (_name: string, _options: object, done: (e: Error | null, a: object[]) => void) => {
    const addresses = answers[Math.min(turn++, answers.length - 1)] ?? [];
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  return { lookup: lookup as unknown as typeof systemLookup, turns: () => turn };
}

async function fetched(
  from: ReturnType<typeof createSafeFetch>,
  url: string,
  limits?: Partial<DownloadLimits>,
) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of from.download(url, { maxBytes: 1_000_000, ...limits })) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.then(
    () => new Error("nothing failed"),
    (thrown) => thrown,
  );
  if (error instanceof Failure) return error;
  throw error;
}

const strict = createSafeFetch({ allowedHosts: [] });
const local = createSafeFetch({ allowedHosts: ["127.0.0.1"] });

t.test("a URL that names an address of ours, however it is written, is refused unasked", async (t) => {
  const { port, asked } = await serve(t, (_request, response) => response.end("secret"));
  const urls = [
    "http://127.0.0.1",
    "http://127.1",
    "http://2130706433",
    "http://0x7f.0.0.1",
    "http://0177.0.0.1",
    "http://①②⑦.0.0.1",
    "http://0",
    "http://localhost",
    "http://localhost.",
    "http://deep.localhost",
    "http://[::1]",
    "http://[::ffff:127.0.0.1]",
    "http://[64:ff9b::7f00:1]",
    "http://[2002:7f00:1::]",
    "http://user:password@127.0.0.1",
  ];
  for (const url of urls)
    t.equal((await failureOf(fetched(strict, `${url}:${port}/`))).code, "url_not_allowed", url);
  for (const url of ["ftp://example.com/a", "file:///etc/passwd", "data:,x", "/etc/passwd", "", "http://"])
    t.equal((await failureOf(fetched(strict, url))).code, "url_not_allowed", url);
  t.equal(asked(), 0);
});

t.test("a name is refused when any of its addresses is private, or when it has none", async (t) => {
  for (const addresses of [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["fd00::1", "2606:4700::1"], []]) {
    const safe = createSafeFetch({ allowedHosts: [], lookup: resolver(addresses).lookup });
    t.equal((await failureOf(fetched(safe, "http://files.example/a.pdf"))).code, "url_not_allowed");
  }
});

t.test("the address that was checked is the one dialled: a second look-up cannot move it", async (t) => {
  const { port, asked } = await serve(t, (_request, response) => response.end("secret"));
  // A test network address: packets to it go nowhere, so the time bound ends the try.
  const names = resolver(["93.184.216.34"], ["127.0.0.1"]);
  const safe = createSafeFetch({ allowedHosts: [], lookup: names.lookup });
  const failure = await failureOf(fetched(safe, `http://rebind.example:${port}/`, { firstByteMs: 200 }));
  t.equal(failure.code, "download_failed");
  t.equal(names.turns(), 1);
  t.equal(asked(), 0);
});

t.test("refusing a private name and not knowing a name read the same", async (t) => {
  const unknown = ((_name: string, _options: object, done: (e: Error) => void) =>
    done(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }))) as unknown as typeof systemLookup;
  const [one, other] = await Promise.all(
    [unknown, resolver(["10.0.0.1"]).lookup].map((lookup) =>
      failureOf(fetched(createSafeFetch({ allowedHosts: [], lookup }), "http://db.internal/")),
    ),
  );
  t.equal(one?.code, other?.code);
  t.equal(one?.message, other?.message);
});

t.test("every redirect is checked again, and there are at most three", async (t) => {
  const hops = await serve(t, (request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) return response.end("arrived");
    response.writeHead(302, { location: `/${left - 1}` }).end("moved");
  });
  t.equal(await fetched(local, `http://127.0.0.1:${hops.port}/3`), "arrived");
  t.equal((await failureOf(fetched(local, `http://127.0.0.1:${hops.port}/4`))).code, "download_failed");

  for (const location of [
    "http://[::1]:1/",
    "http://169.254.169.254/latest/meta-data",
    "file:///etc/passwd",
  ]) {
    const { port } = await serve(t, (_request, response) => response.writeHead(302, { location }).end());
    t.equal((await failureOf(fetched(local, `http://127.0.0.1:${port}/`))).code, "url_not_allowed", location);
  }
});

t.test(
  "a file over the limit ends the download, whether it is announced, unannounced or compressed",
  async (t) => {
    const announced = await serve(t, (_request, response) =>
      response.writeHead(200, { "content-length": 2e9 }).flushHeaders(),
    );
    const endless = await serve(t, (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", more);
      more();
    });
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const compressed = await serve(t, (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    );
    for (const { port } of [announced, endless, compressed])
      t.equal((await failureOf(fetched(local, `http://127.0.0.1:${port}/`))).code, "file_too_large");
  },
);

t.test("a remote that fails is named by its status, and one that is slow by the time it had", async (t) => {
  const missing = await serve(t, (_request, response) => response.writeHead(404).end());
  t.match((await failureOf(fetched(local, `http://127.0.0.1:${missing.port}/`))).message, /status 404/);

  const silent = await serve(t, () => undefined);
  const never = await failureOf(fetched(local, `http://127.0.0.1:${silent.port}/`, { firstByteMs: 50 }));
  t.match([never.code, never.message], ["download_failed", /0.05 s/]);

  const drip = await serve(t, (_request, response) => response.write("%PDF-"));
  const slow = await failureOf(fetched(local, `http://127.0.0.1:${drip.port}/`, { totalMs: 50 }));
  t.match([slow.code, slow.message], ["download_failed", /0.05 s/]);

  const half = await serve(t, (_request, response) => {
    response.writeHead(200, { "content-length": 100 }).write("%PDF-");
    setImmediate(() => response.destroy());
  });
  t.equal((await failureOf(fetched(local, `http://127.0.0.1:${half.port}/`))).code, "download_failed");
});

t.test("a caller who goes away ends the download", async (t) => {
  const leaving = new AbortController();
  const { port } = await serve(t, () => leaving.abort(new Failure("unavailable", "gone")));
  const { signal } = leaving;
  t.equal((await failureOf(fetched(local, `http://127.0.0.1:${port}/`, { signal }))).message, "gone");
});

t.test("the bare client passes the guard too, follows nothing and hands over any status", async (t) => {
  const { port } = await serve(t, (_request, response) =>
    response.writeHead(302, { location: "http://10.0.0.1/" }).end(),
  );
  const answer = await local.client.post(`http://127.0.0.1:${port}/`, { body: "{}" });
  t.equal(answer.statusCode, 302);
  const error = await strict.client.post(`http://127.0.0.1:${port}/`).catch((thrown) => thrown);
  t.equal(refusalIn(error)?.code, "url_not_allowed");
});

t.test("proxy variables change nothing", async (t) => {
  const proxy = await serve(t, (_request, response) => response.end("from the proxy"));
  const { port } = await serve(t, (_request, response) => response.end("from the server"));
  process.env.HTTP_PROXY = process.env.http_proxy = `http://127.0.0.1:${proxy.port}`;
  t.teardown(() => {
    delete process.env.HTTP_PROXY;
    delete process.env.http_proxy;
  });
  const safe = createSafeFetch({ allowedHosts: ["127.0.0.1"] });
  t.equal(await fetched(safe, `http://127.0.0.1:${port}/`), "from the server");
  t.equal(proxy.asked(), 0);
});
