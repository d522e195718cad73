import type { Migration } from "../../platform/database.ts";

/** Which processes are alive, by the database's clock: what a dead one had in hand is taken over. */
export const knowLivingProcesses: Migration = {
  name: "0006-know-living-processes",
  up: (db) =>
    db.raw(`
      CREATE TABLE processes (
        id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
        alive_until DATETIME(3) NOT NULL
      )
    `),
  down: (db) => db.schema.dropTable("processes"),
};
