import type { Migration } from "../../platform/database.ts";

/** A split of 20,000 pages lists as many sizes: more than the 64 kB of a TEXT. Its job could not be settled. */
export const letResultsHaveManyFiles: Migration = {
  name: "0007-let-results-have-many-files",
  up: (db) => db.raw("ALTER TABLE jobs MODIFY result MEDIUMTEXT NULL"),
  // A longer result would not fit any more; its job's data is then gone, which a customer may see after 24 hours too.
  down: async (db) => {
    await db.raw("UPDATE jobs SET result = NULL WHERE LENGTH(result) > 65535");
    await db.raw("ALTER TABLE jobs MODIFY result TEXT NULL");
  },
};
