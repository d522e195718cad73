import type { Migration } from "../../platform/database.ts";

/** Who is to sign. No link is kept: it is made from the signer's id and a key that is not in the database. */
export const keepSigners: Migration = {
  name: "0003-keep-signers",
  up: (db) =>
    db.schema.createTable("signers", (column) => {
      column.specificType("id", "CHAR(30) CHARACTER SET ascii COLLATE ascii_bin").primary();
      column.specificType("request_id", "CHAR(29) CHARACTER SET ascii COLLATE ascii_bin").notNullable();
      column.integer("position").notNullable();
      column.string("name", 255).notNullable();
      column.string("email", 255).notNullable();
      column.integer("sign_order").notNullable();
      column.datetime("invited_at", { precision: 3 }).nullable();
      column.datetime("reminded_at", { precision: 3 }).nullable();
      column.datetime("opened_at", { precision: 3 }).nullable();
      column.datetime("signed_at", { precision: 3 }).nullable();
      column.specificType("signature_hash", "CHAR(64) CHARACTER SET ascii COLLATE ascii_bin").nullable();
      column.unique(["request_id", "position"]);
    }),
  down: (db) => db.schema.dropTable("signers"),
};
