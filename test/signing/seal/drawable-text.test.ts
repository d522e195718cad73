import t from "tap";
import { fitText } from "../../../signing/seal/fit-text.ts";
import { scriptFonts } from "../../../signing/seal/script-fonts.ts";
import { chooseFonts } from "../../../signing/seal/text/choose-fonts.ts";
import { openFontShelf } from "../../../signing/seal/text/font-shelf.ts";
import { createTypesetter } from "../../../signing/seal/text/typesetter.ts";

const shelf = openFontShelf();
const setLine = createTypesetter(shelf);

/** What stands against drawing a text, were there room for it. */
function faultOf(text: string): string | undefined {
  const fitted = fitText(text, { width: 10_000, height: 100 }, setLine);
  return fitted.ok ? undefined : fitted.message;
}

function familiesOf(text: string, script?: "caveat"): string[] {
  const choice = chooseFonts(text, shelf, script && shelf.scriptFaces.get(script));
  return choice.ok ? choice.spans.map(({ face }) => face.family) : [];
}

t.test("a text is accepted when every character has a glyph in an installed font", async (t) => {
  const drawable = [
    "",
    "Ada Łovelace",
    "Ωμέγα",
    "Жанна",
    "محمد",
    "שלום",
    "नमस्ते",
    "王小明",
    "山田たろう",
    "김철수",
    "a\u0301",
    "O’Neil–Smith",
    "two\nlines",
    "zero\u200djoiner",
  ];
  for (const text of drawable) t.equal(faultOf(text), undefined, JSON.stringify(text));
  const refused: [string, RegExp][] = [
    ["Ada \u{10ffff}", /No installed font can draw “\u{10ffff}” \(U\+10FFFF\)/u],
    ["\u{1f469}\u200d\u{1f680}", /U\+1F469 U\+200D U\+1F680/],
    ["tab\u0000", /control character U\+0000/],
    ["\ud800", /not valid Unicode/],
  ];
  for (const [text, message] of refused) t.match(faultOf(text), message, JSON.stringify(text));
});

t.test("each country's readers get its own form of Han characters", async (t) => {
  t.same(familiesOf("山田たろう"), ["Noto Sans CJK JP"]);
  t.same(familiesOf("김山"), ["Noto Sans CJK KR"]);
  t.same(familiesOf("王小明"), ["Noto Sans CJK SC"]);
});

t.test("a typed signature leaves its hand only where the hand has no letters", async (t) => {
  t.same(familiesOf("Ada Łovelace, 1.", "caveat"), ["Caveat"]);
  t.same(familiesOf("Ada 王", "caveat"), ["Caveat", "Noto Sans CJK SC"]);
  t.same(
    [...shelf.scriptFaces.values()].map(({ family }) => family),
    scriptFonts.map(({ family }) => family),
  );
});
