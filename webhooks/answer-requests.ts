import type { BlobStore } from "../platform/blob-store.ts";
import type { Bus } from "../platform/bus.ts";
import { Failure } from "../platform/contracts/failures.ts";
import type { RequestContract } from "../platform/contracts/request.ts";
import * as contract from "../platform/contracts/webhook.ts";
import type { Database } from "../platform/database.ts";
import type { SafeFetch } from "../platform/safe-fetch.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import { storeIsAway } from "../platform/store-is-away.ts";
import type { Hand } from "./delivering/take-in-hand.ts";
import type { Task } from "./delivering/task.ts";
import { createChangeEndpoint } from "./endpoints/change-endpoint.ts";
import { createEndpoint } from "./endpoints/create-endpoint.ts";
import type { DefaultSecretOf } from "./endpoints/default-secrets.ts";
import { createDeleteEndpoint } from "./endpoints/delete-endpoint.ts";
import { ownWebhook, webhookData } from "./endpoints/endpoint-rows.ts";
import { createListEndpoints } from "./endpoints/list-endpoints.ts";
import { createRotateSecret } from "./endpoints/rotate-secret.ts";
import { createPullEventBody } from "./log/pull-event-body.ts";
import { createPullEvents } from "./log/pull-events.ts";
import { createListDeliveries } from "./log/read-deliveries.ts";
import { createRetryDelivery, createRetryFailed } from "./log/retry-deliveries.ts";
import { createSendTest } from "./recording/send-test.ts";

type Deps = {
  bus: Bus;
  db: Database;
  blobs: BlobStore;
  secretBox: SecretBox;
  checkUrl: SafeFetch["checkUrl"];
  defaultSecretOf: DefaultSecretOf;
  hand: Hand;
  attemptNow: (task: Task) => Promise<void>;
  /** Deliveries may be due now. */
  wake: () => void;
  /** Tells all processes to read the endpoint anew. */
  tellChanged: (endpointId: string) => void;
  now: () => Date;
};

/** Answers the gateway: what each question means is in the file of its use case. */
export function answerRequests(deps: Deps): void {
  const { bus, db, defaultSecretOf } = deps;
  const answer = <Q, A>(to: RequestContract<Q, A>, give: (question: Q) => Promise<A>) =>
    bus.answer(to, (question) => give(question).catch(sayUnavailable));

  answer(contract.createWebhook, createEndpoint(deps));
  answer(contract.listWebhooks, createListEndpoints(db));
  answer(contract.getWebhook, async (whose) => webhookData(await ownWebhook(db, whose)));
  answer(contract.changeWebhook, createChangeEndpoint(deps));
  answer(contract.deleteWebhook, createDeleteEndpoint(deps));
  answer(contract.rotateSecret, createRotateSecret(deps));
  answer(contract.getDefaultSecret, async ({ accountId }) => ({
    webhook_secret: await defaultSecretOf(accountId),
  }));
  answer(contract.testWebhook, createSendTest(deps));
  answer(contract.listDeliveries, createListDeliveries(db));
  answer(contract.retryDelivery, createRetryDelivery(deps));
  answer(contract.retryFailed, createRetryFailed(deps));
  answer(contract.pullEvents, createPullEvents(deps));
  answer(contract.pullEventBody, createPullEventBody(deps));
}

function sayUnavailable(cause: unknown): never {
  if (!storeIsAway(cause)) throw cause;
  throw new Failure("unavailable", "Webhooks cannot be reached at the moment. Try again shortly.", {
    cause,
    retryAfterSeconds: 5,
  });
}
