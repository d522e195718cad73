import type { Migration } from "../../platform/database.ts";

/** What came of each attempt. The body is kept as it came: a receiver's answer may be in any encoding. */
export const logAttempts: Migration = {
  name: "0005-log-attempts",
  up: (db) =>
    db.raw(`
      CREATE TABLE attempts (
        id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
        delivery_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        number INT UNSIGNED NOT NULL,
        started_at DATETIME(3) NOT NULL,
        duration_ms INT UNSIGNED NOT NULL,
        outcome VARCHAR(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        status_code INT UNSIGNED NULL,
        response_body VARBINARY(2048) NULL,
        KEY of_delivery (delivery_id)
      )
    `),
  down: (db) => db.schema.dropTable("attempts"),
};
