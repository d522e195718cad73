import t from "tap";
import { countCharacters, countWords } from "../../../workers/operations/ocr/count-text.ts";
import { fileKind } from "../../../workers/operations/ocr/image-kind.ts";
import { tidyText } from "../../../workers/operations/ocr/page-text.ts";
import { placeWords } from "../../../workers/operations/ocr/place-words.ts";

t.test("the figures of a text", async (t) => {
  t.test("count words where no spaces stand, too", async (t) => {
    const table: [text: string, words: number, characters: number][] = [
      ["", 0, 0],
      ["It's 3.5 km, isn't it?", 5, 22],
      ["人人生而自由", 4, 6],
      ["𝒳 and 👩‍👧", 2, 9],
    ];
    for (const [text, words, characters] of table) {
      t.equal(countWords(text), words, text);
      t.equal(countCharacters(text), characters, text);
    }
  });
});

t.test("a page's own text", async (t) => {
  t.test("has plain line ends, visible hyphens and no control characters", async (t) => {
    t.equal(tidyText("one \r\nex\u0002\r\nample\u0000 \t\r\n\r\n\r\n\r\ntwo\f"), "one\nex-\nample\n\ntwo");
  });

  t.test("has no half of a surrogate pair", async (t) => t.ok(tidyText("a\ud800b").isWellFormed()));
});

t.test("a file is known by what it begins with", async (t) => {
  const table: [head: string, kind: string | null][] = [
    ["%PDF-1.7", "pdf"],
    [`junk before${" ".repeat(500)}%PDF-1.4`, "pdf"],
    ["\x89PNG\r\n\x1a\n", "png"],
    ["\xff\xd8\xff\xe0", "jpeg"],
    ["II*\0", "tiff"],
    ["MM\0*", "tiff"],
    ["RIFF\0\0\0\0WEBPVP8 ", "webp"],
    ["GIF89a", "gif"],
    [`BM${"\0".repeat(30)}`, "bmp"],
    ["BM, a letter", null],
    ["<html>", null],
    ["", null],
  ];
  for (const [head, kind] of table)
    t.equal(fileKind(Buffer.from(head, "latin1")), kind, JSON.stringify(head));
});

t.test("the words of a page", async (t) => {
  const word = (text: string, x0: number, x1: number, startsLine = false) => ({
    text,
    x0,
    y0: 20,
    x1,
    y1: 32,
    startsLine,
  });

  t.test("are known to run right to left", async (t) => {
    const placed = placeWords([word("Hello", 10, 60, true), word("שלום", 80, 120)]);
    t.match(placed, [
      { text: "Hello", left: 10, top: 20, right: 60, bottom: 32, rightToLeft: false },
      { text: "שלום", left: 80, right: 120, rightToLeft: true },
    ]);
  });

  t.test("run on in Chinese, within a line", async (t) => {
    const placed = placeWords([word("人人", 0, 20, true), word("生", 24, 30), word("而", 0, 10, true)]);
    t.same(
      placed.map(({ left, right }) => [left, right]),
      [
        [0, 24],
        [24, 30],
        [0, 10],
      ],
    );
  });
});
