import type { Migration } from "../../platform/database.ts";

/** A PDF operation that a customer asked for is a row until a day after it ended; queues and blobs follow it. */
export const queueJobs: Migration = {
  name: "0002-queue-jobs",
  up: (db) =>
    db.schema.createTable("jobs", (column) => {
      const id = "VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin";
      column.specificType("id", id).primary();
      column.specificType("account_id", id).notNullable();
      column.string("operation", 16).notNullable();
      column.string("status", 16).notNullable();
      // What to do and with which blobs, as the worker is told it.
      column.specificType("task", "MEDIUMTEXT").notNullable();
      column.specificType("sources", "TEXT").notNullable();
      column.text("call_address").nullable();
      column.string("trail", 255).notNullable();
      // Counts claims: whoever acts for a job names the attempt, so that a superseded one changes nothing.
      column.integer("attempt").unsigned().notNullable().defaultTo(0);
      column.integer("lost_attempts").unsigned().notNullable().defaultTo(0);
      column.string("worker", 100).nullable();
      column.datetime("heartbeat_at", { precision: 3 }).nullable();
      column.integer("pages_done").unsigned().nullable();
      column.integer("pages_total").unsigned().nullable();
      // Where the job's message lies in the stream, to see whether it was lost.
      column.string("message_id", 64).nullable();
      column.bigInteger("message_sequence").unsigned().nullable();
      column.text("result").nullable();
      column.text("failure").nullable();
      column.datetime("created_at", { precision: 3 }).notNullable();
      column.datetime("queued_at", { precision: 3 }).notNullable();
      column.datetime("completed_at", { precision: 3 }).nullable();
      column.datetime("expires_at", { precision: 3 }).nullable().index();
      column.index(["account_id", "id"]);
      column.index(["status", "account_id"]);
    }),
  down: (db) => db.schema.dropTable("jobs"),
};
