import fc from "fast-check";
import t from "tap";
import { type Operand, readOperators } from "../../../workers/operations/compress/content-operators.ts";

const contents: [promise: string, content: string, expected: [string, ...Operand[]][]][] = [
  ["numbers of every form", "1 -2.5 .5 +4 -.25 6. rg", [["rg", 1, -2.5, 0.5, 4, -0.25, 6]]],
  ["names with escapes", "/A#20B Do", [["Do", "/A B"]]],
  ["strings with escapes and nested brackets", "(a\\(\\051(b)\\n) Tj", [["Tj", Buffer.from("a()(b)\n")]]],
  ["hexadecimal strings, also of odd length", "<4 8 6> Tj", [["Tj", Buffer.from("H`")]]],
  ["arrays", "[(a) -20 <62>] TJ", [["TJ", [Buffer.from("a"), -20, Buffer.from("b")]]]],
  [
    "comments and stray delimiters",
    "% no\n1 w ) > } 2 w",
    [
      ["w", 1],
      ["w", 2],
    ],
  ],
];

t.test("a content stream is read", async (t) => {
  for (const [promise, content, expected] of contents) {
    t.test(`with ${promise}`, async (t) =>
      t.same(operatorsOf(Buffer.from(content, "latin1")), bytesOf(expected)),
    );
  }

  t.test("past an inline image, even where its data holds the end mark", async (t) => {
    const operators = operatorsOf(Buffer.from("q BI /W 2 /H 1 ID \x01 EI\x02\x03 EI Q", "latin1"));
    t.same(
      operators.map(([operator]) => operator),
      ["q", "BI", "Q"],
    );
  });

  t.test("to its end whatever it holds", async () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => readOperators(bytes, () => {})));
    readOperators(Buffer.from("[".repeat(200_000)), () => {});
    readOperators(Buffer.from("<<".repeat(200_000)), () => {});
    readOperators(Buffer.from("(".repeat(200_000)), () => {});
  });
});

function operatorsOf(content: Uint8Array): unknown[][] {
  const found: unknown[][] = [];
  readOperators(content, (operator, operands) => found.push([operator, ...operands.map(comparable)]));
  return found;
}

function bytesOf(expected: [string, ...Operand[]][]): unknown[][] {
  return expected.map(([operator, ...operands]) => [operator, ...operands.map(comparable)]);
}

function comparable(operand: Operand): unknown {
  if (operand instanceof Uint8Array) return `bytes ${Buffer.from(operand).toString("latin1")}`;
  return Array.isArray(operand) ? operand.map(comparable) : operand;
}
