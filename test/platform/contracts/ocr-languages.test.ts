import { readFileSync } from "node:fs";
import t from "tap";
import {
  debianPackage,
  installedModels,
  languageFault,
  ocrLanguages,
} from "../../../platform/contracts/ocr-languages.ts";

t.test("the languages of OCR", async (t) => {
  t.test("are at least 42, the documented ten among them", async (t) => {
    const codes = ocrLanguages.map(({ code }) => code);
    t.ok(codes.length >= 42);
    t.equal(new Set(codes).size, codes.length);
    for (const code of ["eng", "spa", "fra", "deu", "ita", "por", "chi_sim", "jpn", "kor", "ara"]) {
      t.ok(codes.includes(code), code);
    }
  });

  t.test("are what set-up installs, with the models they use", async (t) => {
    const listed = readFileSync(new URL("../../../deploy/packages-ocr.txt", import.meta.url), "utf8");
    t.same(listed.trim().split("\n"), installedModels().map(debianPackage).sort());
  });

  t.test("are refused with the list of what there is", async (t) => {
    const table: [value: string, fault: RegExp | null][] = [
      ["eng", null],
      ["eng+chi_sim+jpn", null],
      ["xxx", /Unknown language "xxx".*afr, sqi, ara/],
      ["", /Unknown language ""/],
      ["eng+", /Unknown language ""/],
      ["../eng", /Unknown/],
      ["osd", /Unknown/],
      ["eng+eng", /twice/],
      ["eng+deu+fra+ita", /At most 3/],
    ];
    for (const [value, fault] of table) {
      const found = languageFault(value);
      if (fault === null) t.equal(found, null, value);
      else t.match(found, fault, value);
    }
  });
});
