/** Text into a box: as large as a form is filled in, smaller if it must be, then on several lines, then not at all. */
import { drawableText } from "./text/drawable-text.ts";
import { missingGlyph } from "./text/missing-glyph.ts";
import type { FontFace } from "./text/sfnt.ts";
import type { ShapedLine } from "./text/shape-line.ts";
import type { Typesetter } from "./text/typesetter.ts";
import { wrapText } from "./text/wrap-text.ts";

/** In points. */
export type BoxSize = { width: number; height: number };

/** A line and where its left end stands on the base line, in points from the box's bottom left. */
export type PlacedLine = { line: ShapedLine; x: number; y: number };

export type FittedText = { ok: true; fontSize: number; lines: PlacedLine[] } | { ok: false; message: string };

const largestSize = 12;
// Below this, breaking lines reads better than smaller letters.
const smallestUnbroken = 8;
const smallestSize = 4;
const step = 0.5;
const padding = 2;
const lineHeight = 1.2;

/**
 * Fits free text: from 12 points down to 8 on the lines it has, then wrapped, again as large as the box lets it be,
 * from 12 points down to 4, then a message why not.
 */
export function fitText(text: string, box: BoxSize, setLine: Typesetter): FittedText {
  const paragraphs = setParagraphs(text, setLine);
  if (!paragraphs.ok) return paragraphs;
  const width = box.width - 2 * Math.min(padding, box.width * 0.1);
  const unbroken = paragraphs.set.map((own) => own.text);
  const broken = (size: number) =>
    paragraphs.set.flatMap(({ text: own, line }) => wrapText(own, line, width / size));
  const tries = [
    ...sizesDownTo(smallestUnbroken).map((size) => ({ size, textsAt: () => unbroken })),
    ...sizesDownTo(smallestSize).map((size) => ({ size, textsAt: broken })),
  ];
  for (const { size, textsAt } of tries) {
    const texts = textsAt(size);
    // A cheap bound first: setting lines costs, and most sizes are out of the question.
    if (texts.length * size > box.height) continue;
    const lines = texts.map((own) => setLine(own)).flatMap((set) => (set.ok ? [set.line] : []));
    if (fits(lines, size, { width, height: box.height })) {
      return { ok: true, fontSize: size, lines: place(lines, size, box) };
    }
  }
  return { ok: false, message: tooLong(box) };
}

function sizesDownTo(smallest: number): number[] {
  return Array.from(
    { length: 1 + (largestSize - smallest) / step },
    (_, index) => largestSize - index * step,
  );
}

/** Fits a typed signature or initials: one line, as large as the box lets its ink be. */
export function fitSignature(text: string, box: BoxSize, setLine: Typesetter, hand: FontFace): FittedText {
  const drawable = drawableText(text);
  if (!drawable.ok) return drawable;
  if (drawable.lines.length > 1) return { ok: false, message: "A signature is one line of text." };
  const set = setLine(drawable.lines[0] ?? "", hand);
  if (!set.ok) return { ok: false, message: missingGlyph(set.missing) };
  const { ink } = set.line;
  const inkWidth = ink.right - ink.left;
  if (inkWidth <= 0) return { ok: false, message: "A typed signature needs at least one letter." };
  const fontSize = Math.min(36, (0.94 * box.width) / inkWidth, (0.94 * box.height) / (ink.top - ink.bottom));
  if (fontSize < smallestSize) return { ok: false, message: tooLong(box) };
  const room = box.width - inkWidth * fontSize;
  const x =
    (set.line.rightToLeft ? room - Math.min(padding, room / 2) : Math.min(padding, room / 2)) -
    ink.left * fontSize;
  const y = (box.height - (ink.top + ink.bottom) * fontSize) / 2;
  return { ok: true, fontSize, lines: [{ line: set.line, x, y }] };
}

type Paragraphs = { ok: true; set: { text: string; line: ShapedLine }[] } | { ok: false; message: string };

function setParagraphs(text: string, setLine: Typesetter): Paragraphs {
  const drawable = drawableText(text);
  if (!drawable.ok) return drawable;
  const set: { text: string; line: ShapedLine }[] = [];
  for (const paragraph of drawable.lines) {
    const result = setLine(paragraph);
    if (!result.ok) return { ok: false, message: missingGlyph(result.missing) };
    set.push({ text: paragraph, line: result.line });
  }
  return { ok: true, set };
}

function fits(lines: readonly ShapedLine[], size: number, room: BoxSize): boolean {
  const widest = Math.max(0, ...lines.map(extentOf));
  return widest * size <= room.width && heightOf(lines) * size <= room.height;
}

/** Ink may reach over the advance at both ends. */
function extentOf({ width, ink }: ShapedLine): number {
  return Math.max(width, ink.right) - Math.min(0, ink.left);
}

function heightOf(lines: readonly ShapedLine[]): number {
  const first = topOf(lines[0]);
  const last = bottomOf(lines.at(-1));
  return first - last + (lines.length - 1) * spacingOf(lines);
}

// Scripts with tall marks need more than the usual line height, or lines would run into each other.
function spacingOf(lines: readonly ShapedLine[]): number {
  return Math.max(lineHeight, ...lines.map(({ ink }) => ink.top - ink.bottom + 0.1));
}

// As if each line had ascenders and descenders: neighbouring fields then stand on one base line.
function topOf(line: ShapedLine | undefined): number {
  return Math.max(0.72, line?.ink.top ?? 0);
}

function bottomOf(line: ShapedLine | undefined): number {
  return Math.min(-0.22, line?.ink.bottom ?? 0);
}

function place(lines: readonly ShapedLine[], size: number, box: BoxSize): PlacedLine[] {
  const inset = Math.min(padding, box.width * 0.1);
  const spare = box.height - heightOf(lines) * size;
  const spacing = spacingOf(lines) * size;
  // One line stands in the middle of its box, several begin at the top.
  const top = box.height - (lines.length === 1 ? spare / 2 : Math.min(spare, padding));
  const firstBase = top - topOf(lines[0]) * size;
  return lines.map((line, index) => {
    const left = inset - Math.min(0, line.ink.left) * size;
    const right = box.width - inset - Math.max(line.width, line.ink.right) * size;
    return { line, x: line.rightToLeft ? right : left, y: firstBase - index * spacing };
  });
}

function tooLong(box: BoxSize): string {
  const size = `${Math.round(box.width)} × ${Math.round(box.height)}`;
  return `The text is too long for its box of ${size} points; shorten it.`;
}
