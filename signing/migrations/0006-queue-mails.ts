import type { Migration } from "../../platform/database.ts";

/** Mails to send: who and why. Their text and links are made when they are sent. */
export const queueMails: Migration = {
  name: "0006-queue-mails",
  up: (db) =>
    db.schema.createTable("mails", (column) => {
      column.bigIncrements("id");
      // invitation:<signer>, completion:<signer>, reminder:<signer>:<time>: a mail is queued once.
      column
        .specificType("cause", "VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin")
        .notNullable()
        .unique();
      column.string("kind", 12).notNullable();
      column.specificType("request_id", "CHAR(29) CHARACTER SET ascii COLLATE ascii_bin").notNullable();
      column.specificType("signer_id", "CHAR(30) CHARACTER SET ascii COLLATE ascii_bin").notNullable();
      column.integer("attempts").notNullable().defaultTo(0);
      // Null once sent or given up. Whoever sends it moves it ahead first, so that a process that dies loses nothing.
      column.datetime("due_at", { precision: 3 }).nullable().index();
      column.datetime("sent_at", { precision: 3 }).nullable();
      column.string("last_error", 500).nullable();
      column.datetime("created_at", { precision: 3 }).notNullable();
    }),
  down: (db) => db.schema.dropTable("mails"),
};
