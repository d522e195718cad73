import type { Migration } from "../../platform/database.ts";

/** An account calls with keys that it can tell apart, limit and revoke. A copy of this table opens nothing. */
export const letAccountsHoldKeys: Migration = {
  name: "0004-let-accounts-hold-keys",
  up: (db) =>
    db.schema.createTable("api_keys", (column) => {
      column.string("id", 40).primary();
      column.string("account_id", 40).notNullable().index();
      column.string("name", 255).notNullable();
      // SHA-256 of the key, in hex; the key itself is nowhere.
      column.specificType("hash", "CHAR(64) CHARACTER SET ascii COLLATE ascii_bin").notNullable().unique();
      column.string("prefix", 16).notNullable();
      column.string("last_four", 4).notNullable();
      // JSON list.
      column.text("permissions").notNullable();
      column.datetime("expires_at", { precision: 3 }).nullable();
      column.datetime("last_used_at", { precision: 3 }).nullable();
      column.datetime("revoked_at", { precision: 3 }).nullable();
      column.datetime("created_at", { precision: 3 }).notNullable();
    }),
  down: (db) => db.schema.dropTable("api_keys"),
};
