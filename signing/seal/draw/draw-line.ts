import type { LoadedFont } from "../text/loaded-font.ts";
import type { Cluster, Glyph, ShapedLine } from "../text/shape-line.ts";
import { glyphWidth } from "./embed-font.ts";
import type { FontsInUse } from "./fonts-in-use.ts";
import { number } from "./operators.ts";
import { hex4, utf16Hex } from "./to-unicode-map.ts";

/**
 * A shaped line as text operators (ISO 32000-1 §9.4).
 * @param at left end of the base line
 */
export function drawLine(
  line: ShapedLine,
  fontSize: number,
  at: { x: number; y: number },
  fonts: FontsInUse,
): string {
  const shown = line.runs.map(({ font, clusters }) => {
    const select = `/${fonts.nameOf(font)} ${number(fontSize)} Tf\n`;
    return select + showRun(font, clusters, fontSize, fonts);
  });
  return `BT\n1 0 0 1 ${number(at.x)} ${number(at.y)} Tm\n${shown.join("")}ET\n`;
}

function showRun(
  font: LoadedFont,
  clusters: readonly Cluster[],
  fontSize: number,
  fonts: FontsInUse,
): string {
  let operators = "";
  let pending = "";
  const flush = () => {
    if (pending !== "") operators += `[${pending}] TJ\n`;
    pending = "";
  };
  for (const cluster of clusters) {
    const plain = isTold(font, cluster, fonts);
    if (plain && cluster.glyphs.every(({ dy }) => dy === 0)) {
      pending += cluster.glyphs.map((glyph) => showGlyph(font, glyph)).join("");
      continue;
    }
    flush();
    const shown = showRaised(font, cluster.glyphs, fontSize);
    operators += plain ? shown : `/Span <</ActualText <FEFF${utf16Hex(cluster.text)}>>> BDC\n${shown}EMC\n`;
  }
  flush();
  return operators;
}

/** Whether the font's own map says what the cluster stands for. */
function isTold(font: LoadedFont, { glyphs, text }: Cluster, fonts: FontsInUse): boolean {
  const alone = glyphs.length === 1;
  return glyphs.map(({ id }) => fonts.use(font, id, alone ? text : null)).every((told) => told && alone);
}

function showRaised(font: LoadedFont, glyphs: readonly Glyph[], fontSize: number): string {
  return glyphs
    .map((glyph) => {
      const shown = `[${showGlyph(font, glyph)}] TJ\n`;
      return glyph.dy === 0 ? shown : `${number(glyph.dy * fontSize)} Ts\n${shown}0 Ts\n`;
    })
    .join("");
}

/** §9.4.3: numbers in a TJ array move left, in thousandths of an em. */
function showGlyph(font: LoadedFont, { id, advance, dx }: Glyph): string {
  const before = adjustment(-dx * 1000);
  const after = adjustment(glyphWidth(font, id) - (advance - dx) * 1000);
  return `${before}<${hex4(id)}>${after}`;
}

function adjustment(thousandths: number): string {
  return Math.abs(thousandths) < 0.01 ? "" : number(thousandths);
}
