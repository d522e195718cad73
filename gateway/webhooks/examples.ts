/** What the OpenAPI document shows; `test/gateway/webhooks` holds each against its schema. */
export const webhookExample = {
  id: "wh_01kb2v0f5w8x3t9q6r7y1n2m4p",
  url: "https://example.com/hooks/pdf",
  events: ["signature_request.completed", "pdf.compress.completed"],
  tag: null,
  status: "enabled",
  disabled_reason: null,
  notify_email: "ops@example.com",
  last_sequence: 0,
  failing_since: null,
  previous_secret_expires_at: null,
  created_at: "2026-11-21T02:19:00.123Z",
};

export const secretExample = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwxkUCmrfRUu8=";

export const createExample = {
  url: webhookExample.url,
  events: webhookExample.events,
  notify_email: webhookExample.notify_email,
};

export const deliveryExample = {
  id: "dlv_01kb2v0f5w8x3t9q6r7y1n2m4p",
  webhook_id: webhookExample.id,
  event_id: "evt_01kb2v0f5w8x3t9q6r7y1n2m4p",
  event: "signature_request.completed",
  sequence: 42,
  status: "delivered",
  created_at: "2026-11-21T02:19:00.123Z",
  delivered_at: "2026-11-21T02:19:05.456Z",
  next_attempt_at: null,
  attempts: [
    {
      number: 1,
      started_at: "2026-11-21T02:19:00.130Z",
      duration_ms: 21,
      outcome: "refused",
      status_code: 503,
      response_body: "try later",
    },
    {
      number: 2,
      started_at: "2026-11-21T02:19:05.430Z",
      duration_ms: 26,
      outcome: "delivered",
      status_code: 204,
      response_body: "",
    },
  ],
};

export const pulledExample = {
  events: [
    {
      sequence: 43,
      event_id: "evt_01kb2v0f5w8x3t9q6r7y1n2m4q",
      event: "webhook.test",
      headers: {
        "content-type": "application/json",
        "x-service-event": "webhook.test",
        "x-service-sequence": "43",
        "x-service-signature": "sha256=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
        "webhook-id": "evt_01kb2v0f5w8x3t9q6r7y1n2m4q",
        "webhook-timestamp": "1795227540",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      },
      body: '{"event":"webhook.test","data":{},"timestamp":"2026-11-21T02:19:00.123Z"}',
      body_url: `/api/v1/webhooks/${webhookExample.id}/events/43`,
    },
  ],
  first_sequence: 1,
  last_sequence: 43,
  has_more: false,
};
