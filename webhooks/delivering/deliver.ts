import type { BlobStore } from "../../platform/blob-store.ts";
import type { AttemptOutcome } from "../../platform/contracts/webhook-delivery.ts";
import type { DefaultSecretOf } from "../endpoints/default-secrets.ts";
import type { KnownEndpoint, KnownEndpoints } from "../endpoints/known-endpoints.ts";
import { deliveryHeaders } from "./delivery-headers.ts";
import type { Post, Posting } from "./post.ts";
import { signPayload } from "./sign-payload.ts";
import type { Task } from "./task.ts";

/** One attempt that was made. */
export type Attempt = {
  startedAt: Date;
  durationMs: number;
  outcome: AttemptOutcome;
  statusCode: number | null;
  retryAfter: string | undefined;
  responseBody: Buffer | null;
  error?: unknown;
  /** As it was when the attempt began. */
  endpoint: KnownEndpoint;
};

type Deps = {
  endpoints: KnownEndpoints;
  defaultSecretOf: DefaultSecretOf;
  blobs: BlobStore;
  post: Post;
};

/** Makes one attempt; null when the endpoint is gone or disabled, and nothing may be sent. */
export type Deliver = (task: Task) => Promise<Attempt | null>;

export function createDeliver({ endpoints, defaultSecretOf, blobs, post }: Deps): Deliver {
  return async function deliver(task) {
    const endpoint = await endpoints.get(task.endpointId);
    if (endpoint === null) return null;
    const isTest = task.event.type === "webhook.test";
    if (endpoint.status === "disabled" && !task.probe && !isTest) return null;
    const startedAt = new Date();
    const began = performance.now();
    const posted = await send(task, endpoint, startedAt).catch((error: unknown) => ({
      ...{ outcome: "internal_error" as const, statusCode: null, retryAfter: undefined, responseBody: null },
      error,
    }));
    return { ...posted, startedAt, durationMs: Math.round(performance.now() - began), endpoint };
  };

  async function send(task: Task, endpoint: KnownEndpoint, at: Date) {
    const { secret, previousSecret } = await secretsFor(task, endpoint, at);
    const signer = signPayload({
      ...{ secret, previousSecret, messageId: task.event.id },
      timestamp: Math.floor(at.getTime() / 1000),
    });
    const body = await bodyOf(task, (chunk) => signer.update(chunk));
    return post({ url: endpoint.url, headers: deliveryHeaders(task, signer.headers()), body });
  }

  async function secretsFor(task: Task, endpoint: KnownEndpoint, at: Date) {
    const { secret, previousSecret, accountId } = endpoint;
    return {
      secret: task.callSecret ?? secret ?? (await defaultSecretOf(accountId)),
      previousSecret: previousSecret !== null && previousSecret.until > at ? previousSecret.secret : null,
    };
  }

  /** A body in a blob is read twice, for its signature and for the receiver, and is never in memory as a whole. */
  async function bodyOf({ event }: Task, sign: (chunk: Uint8Array) => void): Promise<Posting["body"]> {
    if (event.body.in === "message") {
      const bytes = Buffer.from(event.body.json, "utf8");
      sign(bytes);
      return { size: bytes.length, bytes };
    }
    const { blob } = event.body;
    for await (const chunk of blobs.read(blob)) sign(chunk);
    return { size: blob.size, open: () => blobs.read(blob) };
  }
}
