import { createHmac } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import t from "tap";
import { newId } from "../../platform/new-id.ts";
import { startReceiver } from "../support/webhook-receiver.ts";
import { makeEvent, startWebhookService } from "../support/webhook-service.ts";

t.test("an event reaches its webhook", async (t) => {
  const service = await startWebhookService(t);
  const receiver = await startReceiver(t);
  const accountId = newId("account");
  const { webhook_secret: secret } = await service.register(accountId, { url: `${receiver.url}/hook` });
  const event = makeEvent(accountId);
  await service.announce(event);
  const [received] = await receiver.until(({ length }) => length === 1);
  if (received === undefined) throw new Error("nothing was received");

  await t.test("with its frozen bytes, its name and its number", async (t) => {
    t.equal(received.body, event.body.in === "message" ? event.body.json : "");
    t.match(received.headers, {
      "content-type": "application/json",
      "x-service-event": event.type,
      "x-service-sequence": "1",
    });
  });

  await t.test("signed as the API document says, and for Standard Webhooks and Svix libraries", async (t) => {
    const hex = createHmac("sha256", secret).update(received.body).digest("hex");
    t.equal(received.headers["x-service-signature"], `sha256=${hex}`);
    t.same(new StandardWebhook(secret).verify(received.body, received.headers), JSON.parse(received.body));
    t.doesNotThrow(() => new SvixWebhook(secret).verify(received.body, received.headers));
    t.equal(received.headers["webhook-id"], event.id);
  });
});
