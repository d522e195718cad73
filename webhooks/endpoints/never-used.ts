import type { EndpointRow } from "./endpoint-rows.ts";

/** What every endpoint is like on its first day. */
export const neverUsed = {
  status: "enabled",
  disabled_reason: null,
  sealed_previous_secret: null,
  previous_secret_until: null,
  last_sequence: 0,
  failing_since: null,
  probe_at: null,
  notice_due_at: null,
} as const satisfies Partial<EndpointRow>;
