import { PDFName } from "pdf-lib";
import t from "tap";
import { readNameEscapes } from "../../../platform/pdf/name-escapes.ts";

t.test("a name's escapes mean the same in either case", async (t) => {
  readNameEscapes();
  readNameEscapes();
  const names: [string, string][] = [
    ["F#e4", "/F#E4"],
    ["F#E4", "/F#E4"],
    ["A#2fB#2F", "/A#2FB#2F"],
    ["Plain", "/Plain"],
    ["Half#4", "/Half#234"],
    ["Sign#23e4", "/Sign#23e4"],
  ];
  for (const [read, written] of names) t.equal(PDFName.of(read).asString(), written);
  t.equal(PDFName.of("F#e4"), PDFName.of("F#E4"), "and are one name");
});
