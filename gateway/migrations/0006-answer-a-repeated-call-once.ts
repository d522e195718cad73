import type { Migration } from "../../platform/database.ts";

/** A client that did not hear our answer may ask again under the same key, and gets that answer instead of a second effect. */
export const answerARepeatedCallOnce: Migration = {
  name: "0006-answer-a-repeated-call-once",
  up: (db) =>
    db.schema.createTable("idempotency_keys", (column) => {
      // SHA-256 of account, path and the caller's key.
      column.specificType("id", "CHAR(64) CHARACTER SET ascii COLLATE ascii_bin").primary();
      // The id of what the call makes: a call taken over from a gateway that died makes the same thing, not a second.
      column.string("new_id", 40).notNullable();
      // Null until the body has arrived.
      column.string("fingerprint", 64).nullable();
      // Which call holds the key, and until when it must have shown a sign of life.
      column.string("holder", 40).notNullable();
      column.datetime("held_until", { precision: 3 }).notNullable();
      // The answer, encrypted, since it may hold secrets. Null while the first call runs.
      column.specificType("sealed_answer", "LONGTEXT").nullable();
      column.datetime("expires_at", { precision: 3 }).notNullable().index();
    }),
  down: (db) => db.schema.dropTable("idempotency_keys"),
};
