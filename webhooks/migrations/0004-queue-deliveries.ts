import type { Migration } from "../../platform/database.ts";

/**
 * One row for each event and endpoint: the queue and the log in one. What is due stands together in `by_state`, so
 * settled rows, however many, are never read to find it. `due_at` is null while a process has the delivery in hand
 * (`lease_by`) and once it is settled. `order_key` is the signature request, until the first try was made: later
 * events wait for that. No foreign keys: every result would lock the endpoint's row, where the sequence is counted.
 */
export const queueDeliveries: Migration = {
  name: "0004-queue-deliveries",
  up: (db) =>
    db.raw(`
      CREATE TABLE deliveries (
        id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
        endpoint_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        event_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        sequence BIGINT UNSIGNED NOT NULL,
        status VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        tries INT UNSIGNED NOT NULL DEFAULT 0,
        earlier_tries INT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'made before the schedule was begun anew',
        due_at DATETIME(3) NULL,
        lease_by VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
        order_key VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
        order_sequence INT UNSIGNED NULL,
        sealed_secret TEXT NULL COMMENT 'brought by the call that named the URL',
        created_at DATETIME(3) NOT NULL,
        delivered_at DATETIME(3) NULL,
        UNIQUE KEY once (event_id, endpoint_id),
        UNIQUE KEY gap_free (endpoint_id, sequence),
        KEY by_state (status, endpoint_id, due_at),
        KEY in_hand (lease_by),
        KEY first_tries (order_key)
      )
    `),
  down: (db) => db.schema.dropTable("deliveries"),
};
