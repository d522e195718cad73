import type { Migration } from "../../platform/database.ts";

/**
 * One row a request. Its lock is the referee of everything that happens to the request: who holds it decides alone,
 * so signing, cancelling and expiring at the same instant have one order.
 */
export const keepSignatureRequests: Migration = {
  name: "0002-keep-signature-requests",
  up: (db) =>
    db.schema.createTable("signature_requests", (column) => {
      column.specificType("id", "CHAR(29) CHARACTER SET ascii COLLATE ascii_bin").primary();
      column.specificType("account_id", "CHAR(30) CHARACTER SET ascii COLLATE ascii_bin").notNullable();
      column.specificType("status", "VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin").notNullable();
      column.string("title", 255).notNullable();
      column.text("message").nullable();
      // Bytes, not text: a collation would take "A" for "a" and drop spaces at the end, and the filter is exact.
      column.specificType("external_id", "VARBINARY(1020)").nullable();
      column.text("metadata", "mediumtext").nullable();
      column.string("webhook_tag", 50).nullable();
      column.boolean("enforce_order").notNullable();
      column.boolean("send_emails").notNullable();
      column.boolean("append_audit_page").notNullable();
      column.string("document_key", 150).notNullable();
      column.bigInteger("document_size").notNullable();
      // Runs of equal pages, as JSON: [[count, width, height], …].
      column.text("page_sizes", "mediumtext").notNullable();
      column.datetime("created_at", { precision: 3 }).notNullable();
      column.datetime("expires_at", { precision: 3 }).notNullable();
      // expires_at while it can still come true: null once finished, and while sealing. The sweep reads by it.
      column.datetime("lapses_at", { precision: 3 }).nullable();
      // Set from the last signature until the seal: when a process may try (again) to seal. A try moves it ahead.
      column.datetime("seal_due_at", { precision: 3 }).nullable();
      column.integer("seal_attempts").notNullable().defaultTo(0);
      column.datetime("last_signed_at", { precision: 3 }).nullable();
      column.datetime("completed_at", { precision: 3 }).nullable();
      column.datetime("cancelled_at", { precision: 3 }).nullable();
      column.string("sealed_key", 150).nullable();
      column.bigInteger("sealed_size").nullable();
      column.string("pades_level", 10).nullable();
      column.integer("trail_length").notNullable();
      column.specificType("trail_head", "CHAR(64) CHARACTER SET ascii COLLATE ascii_bin").notNullable();
      column.integer("event_count").notNullable();
      column.index(["account_id", "created_at"]);
      column.index(["account_id", "status", "created_at"]);
      column.index(["account_id", "external_id", "created_at"]);
      column.index(["lapses_at"]);
      column.index(["account_id", "lapses_at"]);
      column.index(["seal_due_at"]);
    }),
  down: (db) => db.schema.dropTable("signature_requests"),
};
