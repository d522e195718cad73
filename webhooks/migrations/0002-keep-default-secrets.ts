import type { Migration } from "../../platform/database.ts";

/** What signs events for a `webhook_url` whose call brought no secret: one an account. */
export const keepDefaultSecrets: Migration = {
  name: "0002-keep-default-secrets",
  up: (db) =>
    db.raw(`
      CREATE TABLE default_secrets (
        account_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
        sealed_secret TEXT NOT NULL,
        created_at DATETIME(3) NOT NULL
      )
    `),
  down: (db) => db.schema.dropTable("default_secrets"),
};
