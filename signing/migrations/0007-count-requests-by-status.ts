import type { Migration } from "../../platform/database.ts";

/**
 * How many requests an account has in each status, so that a list need not count a hundred thousand rows. Each count
 * is the sum of several shards: one row would make all changes of an account wait for each other.
 */
export const countRequestsByStatus: Migration = {
  name: "0007-count-requests-by-status",
  up: (db) =>
    db.schema.createTable("request_counts", (column) => {
      column.specificType("account_id", "CHAR(30) CHARACTER SET ascii COLLATE ascii_bin").notNullable();
      column.specificType("status", "VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin").notNullable();
      column.integer("shard").notNullable();
      column.integer("total").notNullable();
      column.primary(["account_id", "status", "shard"]);
    }),
  down: (db) => db.schema.dropTable("request_counts"),
};
