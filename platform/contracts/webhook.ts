import { z } from "zod";
import { eventBody } from "./event.ts";
import { pageQuery } from "./http-api/envelope.ts";
import {
  changeWebhookBody,
  createdWebhook,
  createWebhookBody,
  defaultSecret,
  deletedWebhook,
  delivery,
  deliveryList,
  listDeliveriesQuery,
  pullEventsQuery,
  pulledEvents,
  retriedDeliveries,
  retryFailedBody,
  rotatedSecret,
  webhook,
  webhookList,
} from "./http-api/webhooks.ts";
import { accountId, deliveryId, webhookId } from "./ids.ts";
import { defineRequest } from "./request.ts";

/**
 * What the gateway asks of the webhooks service. Answers are the public `data`; an id of another account is answered
 * like one that does not exist.
 */
const oneWebhook = { accountId, webhookId };

/** The id is made by whoever asks: asking twice makes one webhook. */
export const createWebhook = defineRequest(
  "webhooks-create",
  z.object({ ...oneWebhook, body: createWebhookBody }),
  createdWebhook,
);
export const listWebhooks = defineRequest(
  "webhooks-list",
  z.object({ accountId, query: pageQuery }),
  webhookList,
);
export const getWebhook = defineRequest("webhooks-get", z.object(oneWebhook), webhook);
export const changeWebhook = defineRequest(
  "webhooks-change",
  z.object({ ...oneWebhook, body: changeWebhookBody }),
  webhook,
);
export const deleteWebhook = defineRequest("webhooks-delete", z.object(oneWebhook), deletedWebhook);
export const rotateSecret = defineRequest("webhooks-rotate-secret", z.object(oneWebhook), rotatedSecret);
export const getDefaultSecret = defineRequest(
  "webhooks-default-secret",
  z.object({ accountId }),
  defaultSecret,
);

/** Sends a test event and answers once its one attempt has ended: ask with a timeout above `testTakesAtMostMs`. */
export const testWebhook = defineRequest("webhooks-test", z.object(oneWebhook), delivery);
export const testTakesAtMostMs = 40_000;

export const listDeliveries = defineRequest(
  "webhooks-deliveries",
  z.object({ ...oneWebhook, query: listDeliveriesQuery }),
  deliveryList,
);
export const retryDelivery = defineRequest(
  "webhooks-retry-delivery",
  z.object({ accountId, deliveryId }),
  delivery,
);
export const retryFailed = defineRequest(
  "webhooks-retry-failed",
  z.object({ ...oneWebhook, body: retryFailedBody }),
  retriedDeliveries,
);

export const pullEvents = defineRequest(
  "webhooks-pull",
  z.object({ ...oneWebhook, query: pullEventsQuery }),
  pulledEvents,
);

/** One event's body as it is sent, with the headers of a delivery; a large one by the blob in which it lies. */
export const pullEventBody = defineRequest(
  "webhooks-pull-body",
  z.object({ ...oneWebhook, sequence: z.number().int().positive() }),
  z.object({
    headers: z.record(z.string(), z.string()),
    body: eventBody,
  }),
);

/** Tells every webhooks process that an endpoint is not what it was: forget the copy, and look again at what is queued. */
export const endpointChanged = {
  subject: "webhooks-endpoint-changed",
  message: z.object({ endpointId: webhookId }),
};
