import type { Migration } from "../../platform/database.ts";

/**
 * Where events may be sent. `registered`: a webhook that a customer made. `call`: a `webhook_url` that a call named;
 * one row an account and URL, so that it too has a lane and a sequence of its own.
 *
 * Written as one statement, like all tables here: the query builder would add the indexes by DDL of their own. Ids
 * and names are ASCII by construction: small in the indexes, and compared exactly.
 */
export const registerEndpoints: Migration = {
  name: "0001-register-endpoints",
  up: (db) =>
    db.raw(`
      CREATE TABLE endpoints (
        id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
        account_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        kind VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        call_key VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'SHA-256 of account and URL of a call: URLs are too long for a key',
        url VARCHAR(2048) NOT NULL,
        events TEXT NOT NULL COMMENT 'JSON array of types',
        tag VARCHAR(50) CHARACTER SET ascii COLLATE ascii_bin NULL,
        status VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        disabled_reason VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin NULL,
        notify_email VARCHAR(254) NULL,
        sealed_secret TEXT NULL,
        sealed_previous_secret TEXT NULL,
        previous_secret_until DATETIME(3) NULL,
        last_sequence BIGINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'counted up under this row''s lock: no gap',
        failing_since DATETIME(3) NULL,
        probe_at DATETIME(3) NULL,
        notice_due_at DATETIME(3) NULL,
        created_at DATETIME(3) NOT NULL,
        UNIQUE KEY call_address (call_key),
        KEY of_account (account_id, kind, id),
        KEY to_probe (probe_at),
        KEY to_notice (notice_due_at)
      )
    `),
  down: (db) => db.schema.dropTable("endpoints"),
};
