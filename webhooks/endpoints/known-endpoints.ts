import type { Database } from "../../platform/database.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { EndpointRow } from "./endpoint-rows.ts";

/** An endpoint as an attempt needs it, its secrets readable. */
export type KnownEndpoint = Pick<
  EndpointRow,
  "id" | "kind" | "url" | "status" | "disabled_reason" | "failing_since"
> & {
  accountId: string;
  /** Null for a call's address, which has none of its own. */
  secret: string | null;
  previousSecret: { secret: string; until: Date } | null;
};

export type KnownEndpoints = {
  /** Null when it was deleted. */
  get: (id: string) => Promise<KnownEndpoint | null>;
  forget: (id: string) => void;
};

/** A change is told to all processes; this bounds what a lost message can do. */
const keepMs = 5000;
const mostKept = 10_000;

/** Endpoints as they were read within the last seconds, so that a flood of events does not read one row again and again. */
export function createKnownEndpoints(db: Database, secretBox: SecretBox): KnownEndpoints {
  const kept = new Map<string, { readAt: number; endpoint: Promise<KnownEndpoint | null> }>();

  async function read(id: string): Promise<KnownEndpoint | null> {
    const row = await db<EndpointRow>("endpoints").where({ id }).first();
    return row === undefined ? null : knownEndpoint(row, secretBox);
  }

  return {
    get(id) {
      const entry = kept.get(id);
      if (entry !== undefined && Date.now() - entry.readAt < keepMs) return entry.endpoint;
      if (kept.size >= mostKept) kept.clear();
      const endpoint = read(id);
      kept.set(id, { readAt: Date.now(), endpoint });
      endpoint.catch(() => kept.delete(id));
      return endpoint;
    },
    forget: (id) => void kept.delete(id),
  };
}

/** @throws Error when SECRETS_KEY is not the one that sealed the secrets */
export function knownEndpoint(row: EndpointRow, secretBox: SecretBox): KnownEndpoint {
  const { id, kind, url, status, disabled_reason, failing_since, account_id } = row;
  return {
    ...{ id, kind, url, status, disabled_reason, failing_since },
    accountId: account_id,
    secret: row.sealed_secret === null ? null : secretBox.open(row.sealed_secret),
    previousSecret:
      row.sealed_previous_secret === null || row.previous_secret_until === null
        ? null
        : { secret: secretBox.open(row.sealed_previous_secret), until: row.previous_secret_until },
  };
}
