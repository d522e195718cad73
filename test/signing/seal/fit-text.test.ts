import fc from "fast-check";
import t from "tap";
import { fitText } from "../../../signing/seal/fit-text.ts";
import { openFontShelf } from "../../../signing/seal/text/font-shelf.ts";
import { createTypesetter } from "../../../signing/seal/text/typesetter.ts";

const setLine = createTypesetter(openFontShelf());

function sizeAndLines(text: string, width: number, height: number): [number, number] | string {
  const fitted = fitText(text, { width, height }, setLine);
  return fitted.ok ? [fitted.fontSize, fitted.lines.length] : fitted.message;
}

t.test("a value shrinks, then wraps, then is too long", async (t) => {
  t.same(sizeAndLines("Ada Lovelace", 200, 20), [12, 1], "as large as a form is filled in");
  t.same(sizeAndLines("Ada Lovelace", 200, 400), [12, 1], "no larger");
  t.same(sizeAndLines("Ada Lovelace, Countess", 110, 30), [9.5, 1], "smaller on one line first");
  t.same(sizeAndLines("Ada Lovelace, Countess of Lovelace", 110, 30), [10.5, 2], "then on two");
  t.same(sizeAndLines("several words of a note that wraps in its box", 160, 60), [12, 2], "as large as fits");
  t.same(sizeAndLines("one\ntwo", 100, 40), [12, 2], "the lines it has are kept");
  t.match(
    sizeAndLines("Ada Lovelace, Countess of Lovelace", 20, 10),
    /too long for its box of 20 × 10 points/,
  );
});

t.test(
  "lines break between words, between Chinese characters, and inside a word only if it must be",
  async (t) => {
    const linesOf = (text: string, width: number) => {
      const fitted = fitText(text, { width, height: 60 }, setLine);
      if (!fitted.ok) return fitted.message;
      return fitted.lines.map(({ line }) =>
        line.runs.flatMap(({ clusters }) => clusters.map((own) => own.text)).join(""),
      );
    };
    t.same(linesOf("It is well-known, we say", 50), ["It is", "well-", "known,", "we say"]);
    t.same(linesOf("王小明先生同意本合同的全部條款與附件內容", 60).length, 4);
    t.same(linesOf("incomprehensibilities", 30).length, 5);
  },
);

t.test("whatever fits lies inside its box", async () => {
  const text = fc.string({ unit: fc.constantFrom(..."abgÅjq Wمح王ก์ी\n"), minLength: 1, maxLength: 40 });
  const side = fc.double({ min: 5, max: 300, noNaN: true });
  const property = fc.property(text, side, side, (own, width, height) => {
    const fitted = fitText(own, { width, height }, setLine);
    if (!fitted.ok) return true;
    return fitted.lines.every(({ line, x, y }) => {
      const { left, right, top, bottom } = line.ink;
      const size = fitted.fontSize;
      const slack = 0.5;
      return (
        x + left * size >= -slack &&
        x + right * size <= width + slack &&
        y + bottom * size >= -slack &&
        y + top * size <= height + slack
      );
    });
  });
  fc.assert(property, { numRuns: 150 });
});
