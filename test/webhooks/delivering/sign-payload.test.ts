import { createHmac } from "node:crypto";
import fc from "fast-check";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import t from "tap";
import { signPayload } from "../../../webhooks/delivering/sign-payload.ts";

const [secret, previousSecret] = [
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwxkUCmrfRUu8=",
  `whsec_${"QUFB".repeat(8)}`,
];
const messageId = "evt_01kb2v0f5w8x3t9q6r7y1n2m4p";
const timestamp = Math.floor(Date.now() / 1000);

function sign(body: Uint8Array, of: { secret: string; previousSecret?: string | null; at?: number }) {
  const signer = signPayload({ previousSecret: null, messageId, timestamp: of.at ?? timestamp, ...of });
  for (let from = 0; from < body.length; from += 1000) signer.update(body.subarray(from, from + 1000));
  return signer.headers();
}

t.test("the signature of a body", async (t) => {
  const body = Buffer.from('{"event":"signature_request.signed","data":{"title":"Verträge 契約"}}');

  t.test("is the HMAC of the raw bytes under the whole secret, whatever the body", async () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 5000 }),
        fc.string({ minLength: 16, unit: "grapheme" }),
        (bytes, key) => {
          const expected = createHmac("sha256", Buffer.from(key, "utf8")).update(bytes).digest("hex");
          return sign(bytes, { secret: key })["x-service-signature"] === `sha256=${expected}`;
        },
      ),
    );
  });

  t.test("is what Standard Webhooks and Svix libraries accept", async (t) => {
    const headers = sign(body, { secret });
    t.doesNotThrow(() => new StandardWebhook(secret).verify(body, headers));
    t.doesNotThrow(() => new SvixWebhook(secret).verify(body, headers));
    t.throws(() => new StandardWebhook(secret).verify(Buffer.from(`${body} `), headers), "not another body");
    t.throws(() => new StandardWebhook(previousSecret).verify(body, headers), "not another secret");
  });

  t.test("is accepted for a secret of the customer's own, which the libraries call raw", async (t) => {
    const own = "a secret of my own, 24 letters";
    t.doesNotThrow(() =>
      new StandardWebhook(own, { format: "raw" }).verify(body, sign(body, { secret: own })),
    );
  });

  t.test("lets a receiver refuse a replay", async (t) => {
    const headers = sign(body, { secret, at: timestamp - 3600 });
    t.throws(() => new StandardWebhook(secret).verify(body, headers), /timestamp/i);
  });

  t.test("is made with both secrets during a rotation, so that no receiver fails", async (t) => {
    const headers = sign(body, { secret, previousSecret });
    for (const one of [secret, previousSecret]) {
      t.doesNotThrow(() => new StandardWebhook(one).verify(body, headers));
      t.doesNotThrow(() => new SvixWebhook(one).verify(body, headers));
    }
    t.equal(
      headers["x-service-signature-previous"],
      sign(body, { secret: previousSecret })["x-service-signature"],
    );
    t.notMatch(sign(body, { secret }), { "x-service-signature-previous": String });
  });
});
