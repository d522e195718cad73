import type { Migration } from "../../platform/database.ts";

/** One count for all keys of an account and all gateways together, as rate-limiter-flexible lays it out. */
export const countCallsAMinute: Migration = {
  name: "0005-count-calls-a-minute",
  up: (db) =>
    db.schema.createTable("rate_limits", (column) => {
      column.string("key", 255).primary();
      column.integer("points").notNullable().defaultTo(0);
      // Unix time in milliseconds at which the window ends.
      column.bigInteger("expire").unsigned().nullable();
    }),
  down: (db) => db.schema.dropTable("rate_limits"),
};
