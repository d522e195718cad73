import type { Migration } from "../../platform/database.ts";

/** Every event once, by its id, with the bytes that all its deliveries send: inline, or the blob in which they lie. */
export const recordEvents: Migration = {
  name: "0003-record-events",
  up: (db) =>
    db.raw(`
      CREATE TABLE events (
        id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
        account_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        type VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        job_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
        body_json MEDIUMTEXT NULL,
        blob_key VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NULL,
        blob_size BIGINT UNSIGNED NULL,
        order_key VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
        order_sequence INT UNSIGNED NULL,
        occurred_at DATETIME(3) NOT NULL,
        recorded_at DATETIME(3) NOT NULL,
        KEY in_order (order_key, order_sequence)
      )
    `),
  down: (db) => db.schema.dropTable("events"),
};
