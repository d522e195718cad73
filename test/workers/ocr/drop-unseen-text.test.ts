import fc from "fast-check";
import t from "tap";
import { dropUnseenText } from "../../../workers/operations/ocr/drop-unseen-text.ts";

const drop = (content: string) => {
  const without = dropUnseenText(Buffer.from(content, "latin1"));
  return without === null ? null : Buffer.from(without).toString("latin1");
};

t.test("an earlier OCR's text", async (t) => {
  const table: [title: string, content: string, without: string | null][] = [
    ["is taken out", "BT 3 Tr (old) Tj ET", "BT 3 Tr () Tj ET"],
    ["is taken out of arrays", "BT 3 Tr [(o]l) -20 <64>] TJ ET", "BT 3 Tr [] TJ ET"],
    ["keeps its line breaks", `3 Tr (a) ' 1 2 (b) "`, `3 Tr () ' 1 2 () "`],
    ["ends where the state does", "q 3 Tr (old) Tj Q (seen) Tj", "q 3 Tr () Tj Q (seen) Tj"],
    ["is known through brackets in strings", "3 Tr (a\\)b(c)d) Tj 0 Tr (e) Tj", "3 Tr () Tj 0 Tr (e) Tj"],
    ["is known through comments", "3 Tr % (no) Tj\n(old) Tj", "3 Tr % (no) Tj\n() Tj"],
    ["is left alone when it is seen", "BT 0 Tr (text) Tj ET", null],
    ["is no part of an image", "BI /W 1 ID 3 Tr (x) Tj\nEI (seen) Tj", null],
    ["is left alone in dictionaries", "/Span << /ActualText (x) >> BDC (seen) Tj EMC", null],
  ];
  for (const [title, content, without] of table) t.test(title, async (t) => t.equal(drop(content), without));

  t.test("is looked for in any bytes, and never for ever", async () => {
    const pieces = fc.constantFrom(
      "(",
      ")",
      "[",
      "]",
      "<",
      ">",
      "<<",
      "3 Tr",
      "Tj",
      "TJ",
      "ID",
      "EI",
      "%",
      "\n",
      "/N",
      "7",
    );
    fc.assert(fc.property(fc.array(pieces, { maxLength: 40 }), (tokens) => void drop(tokens.join(" "))));
  });
});
