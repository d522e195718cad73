import type { Migration } from "../../platform/database.ts";

/** Every call is made on behalf of an account, whose plan and limit decide what it may do. */
export const knowWhoCalls: Migration = {
  name: "0003-know-who-calls",
  up: (db) =>
    db.schema.createTable("accounts", (column) => {
      column.string("id", 40).primary();
      column.string("name", 255).notNullable().unique();
      column.string("plan", 20).notNullable();
      // Null means the configured default.
      column.integer("rate_limit_per_minute").nullable();
      column.datetime("created_at", { precision: 3 }).notNullable();
    }),
  down: (db) => db.schema.dropTable("accounts"),
};
