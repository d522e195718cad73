import type { Migration } from "../../platform/database.ts";

/** Where a value belongs, and, once its signer has signed, what stands there. The seal is made from these rows. */
export const keepFieldsAndTheirValues: Migration = {
  name: "0004-keep-fields-and-their-values",
  up: (db) =>
    db.schema.createTable("fields", (column) => {
      column.specificType("request_id", "CHAR(29) CHARACTER SET ascii COLLATE ascii_bin").notNullable();
      // From 1 within the request.
      column.integer("number").notNullable();
      column.specificType("signer_id", "CHAR(30) CHARACTER SET ascii COLLATE ascii_bin").notNullable();
      column.string("type", 12).notNullable();
      column.integer("page").notNullable();
      column.double("x").notNullable();
      column.double("y").notNullable();
      column.double("width").notNullable();
      column.double("height").notNullable();
      column.boolean("required").notNullable();
      column.string("label", 100).nullable();
      // What is drawn, as JSON (signing/seal/placed-value.ts); null while unsigned or left empty.
      column.text("ink", "mediumtext").nullable();
      column.primary(["request_id", "number"]);
    }),
  down: (db) => db.schema.dropTable("fields"),
};
