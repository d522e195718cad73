import type { Migration } from "../../platform/database.ts";

/** The hash chain of each request (signing/seal/audit-chain.ts). Rows are added, never changed. */
export const keepTheAuditTrail: Migration = {
  name: "0005-keep-the-audit-trail",
  up: (db) =>
    db.schema.createTable("audit_entries", (column) => {
      column.specificType("request_id", "CHAR(29) CHARACTER SET ascii COLLATE ascii_bin").notNullable();
      column.integer("sequence").notNullable();
      column.string("kind", 20).notNullable();
      column.datetime("at", { precision: 3 }).notNullable();
      column.string("actor", 700).notNullable();
      column.string("ip", 45).nullable();
      column.string("user_agent", 500).nullable();
      column.specificType("document_sha256", "CHAR(64) CHARACTER SET ascii COLLATE ascii_bin").nullable();
      column.text("details", "mediumtext").notNullable();
      column.specificType("previous_hash", "CHAR(64) CHARACTER SET ascii COLLATE ascii_bin").notNullable();
      column.specificType("hash", "CHAR(64) CHARACTER SET ascii COLLATE ascii_bin").notNullable();
      column.primary(["request_id", "sequence"]);
    }),
  down: (db) => db.schema.dropTable("audit_entries"),
};
