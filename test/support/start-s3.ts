import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Test } from "tap";

const bucket = "test";

/**
 * A server that speaks as much of S3's protocol as the blob store uses, keeping objects in memory. It has the protocol's
 * shape from Amazon's reference; what a real service does beyond it is not tested here.
 * @returns the BLOB_URL, and the keys of what is stored
 */
export async function startS3(t: Test): Promise<{ url: string; keys: () => string[] }> {
  const objects = new Map<string, { bytes: Buffer; modified: Date }>();
  const server = createServer((request, response) => {
    answer(objects, request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const credentials = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" };
  Object.assign(process.env, credentials);
  t.teardown(() => {
    for (const name of Object.keys(credentials)) delete process.env[name];
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`);
  return { url: `s3://${bucket}/prefix?endpoint=${endpoint}`, keys: () => [...objects.keys()] };
}

type Objects = Map<string, { bytes: Buffer; modified: Date }>;

async function answer(objects: Objects, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://s3");
  const key = decodeURIComponent(url.pathname.slice(bucket.length + 2));
  const send = (status: number, body: string | Buffer = "", headers: Record<string, string> = {}) =>
    response.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers }).end(body);
  const bytes = await buffer(request);
  switch (request.method) {
    case "HEAD":
      return void send(200);
    case "PUT": {
      const from = request.headers["x-amz-copy-source"];
      const copied =
        typeof from === "string" ? objects.get(decodeURIComponent(from).replace(/^\/?test\//, "")) : null;
      objects.set(key, { bytes: copied?.bytes ?? contentOf(request, bytes), modified: new Date() });
      const result = "<CopyObjectResult><ETag>&quot;x&quot;</ETag></CopyObjectResult>";
      return void (copied ? send(200, result) : send(200, "", { etag: '"x"' }));
    }
    case "DELETE":
      objects.delete(key);
      return void send(204);
    case "POST":
      for (const [, name] of bytes.toString().matchAll(/<Key>([^<]*)<\/Key>/g)) objects.delete(name ?? "");
      return void send(200, "<DeleteResult></DeleteResult>");
    default:
      return void (key === ""
        ? send(200, listing(objects, url))
        : sendObject(objects.get(key), request, send));
  }
}

function sendObject(
  object: { bytes: Buffer } | undefined,
  request: IncomingMessage,
  send: (status: number, body?: string | Buffer, headers?: Record<string, string>) => unknown,
): void {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
  if (object === undefined) send(404, "<Error><Code>NoSuchKey</Code></Error>");
  else if (start === undefined) send(200, object.bytes);
  else send(206, object.bytes.subarray(Number(start), Number(end) + 1));
}

function listing(objects: Objects, url: URL): string {
  const prefix = url.searchParams.get("prefix") ?? "";
  const contents = [...objects]
    .filter(([key]) => key.startsWith(prefix))
    .map(
      ([key, { modified }]) =>
        `<Contents><Key>${key}</Key><LastModified>${modified.toISOString()}</LastModified></Contents>`,
    );
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join("")}</ListBucketResult>`;
}

/** The SDK sends bodies of unknown length as `aws-chunked`: `<hex size>[;signature]\r\n<bytes>\r\n` … `0\r\n<trailers>`. */
function contentOf(request: IncomingMessage, bytes: Buffer): Buffer {
  if (!request.headers["content-encoding"]?.includes("aws-chunked")) return bytes;
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (!(size > 0)) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
