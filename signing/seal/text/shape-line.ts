/** One line of text as glyphs in the order in which they stand on paper, left to right. */
import bidiFactory from "bidi-js";
import { Direction, Buffer as ShapingBuffer, shape } from "harfbuzzjs";
import type { FontSpan } from "./choose-fonts.ts";
import type { LoadedFont, LoadFont } from "./loaded-font.ts";
import { scriptRuns } from "./script-runs.ts";

/** Lengths in ems: times the font size they are points. `dx` and `dy` move the glyph, not what follows it. */
export type Glyph = { id: number; advance: number; dx: number; dy: number };

/** Glyphs that stand together for a piece of text: ligatures, base and marks, reordered vowels. */
export type Cluster = { text: string; start: number; glyphs: Glyph[] };

export type GlyphRun = { font: LoadedFont; clusters: Cluster[] };

/** In ems, from the line's left end on the base line, y upward. */
export type InkBox = { left: number; right: number; bottom: number; top: number };

export type ShapedLine = { runs: GlyphRun[]; width: number; ink: InkBox; rightToLeft: boolean };

// The package is CommonJS while its types say otherwise: what is imported is the factory itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** @param spans which face draws what, covering the whole text */
export function shapeLine(text: string, spans: readonly FontSpan[], load: LoadFont): ShapedLine {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text);
  const rightToLeft = (paragraphs[0]?.level ?? 0) % 2 === 1;
  const stretches = spans.flatMap((span) =>
    scriptRuns(text, span.start, span.end).flatMap(({ start, end }) => levelRuns(levels, start, end, span)),
  );
  const runs = inVisualOrder(stretches).map((stretch) => shapeStretch(text, stretch, load));
  return { runs, ...measure(runs), rightToLeft };
}

type Stretch = FontSpan & { level: number };

function levelRuns(levels: Uint8Array, start: number, end: number, span: FontSpan): Stretch[] {
  const runs: Stretch[] = [];
  for (let index = start; index < end; index += 1) {
    const level = levels[index] ?? 0;
    const last = runs.at(-1);
    if (last?.level === level) last.end = index + 1;
    else runs.push({ start: index, end: index + 1, level, face: span.face });
  }
  return runs;
}

/** UAX #9 rule L2, on runs instead of characters: the shaper already turns what is inside a run. */
function inVisualOrder(stretches: readonly Stretch[]): Stretch[] {
  const order = [...stretches];
  const highest = Math.max(0, ...order.map(({ level }) => level));
  for (let level = highest; level >= 1; level -= 1) {
    let start = 0;
    while (start < order.length) {
      let end = start;
      while ((order[end]?.level ?? -1) >= level) end += 1;
      order.splice(start, end - start, ...order.slice(start, end).reverse());
      start = end + 1;
    }
  }
  return order;
}

function shapeStretch(text: string, stretch: Stretch, load: LoadFont): GlyphRun {
  const font = load(stretch.face);
  const buffer = new ShapingBuffer();
  // The text around a run decides how Arabic letters join at its ends.
  buffer.addText(text, stretch.start, stretch.end - stretch.start);
  buffer.guessSegmentProperties();
  buffer.setDirection(stretch.level % 2 === 1 ? Direction.RTL : Direction.LTR);
  shape(font.font, buffer);
  const places = buffer.getGlyphPositions();
  const clusters: Cluster[] = [];
  for (const [index, info] of buffer.getGlyphInfos().entries()) {
    const place = places[index];
    if (place === undefined) continue;
    const glyph = {
      id: info.codepoint,
      advance: place.xAdvance / font.unitsPerEm,
      dx: place.xOffset / font.unitsPerEm,
      dy: place.yOffset / font.unitsPerEm,
    };
    const last = clusters.at(-1);
    if (last?.start === info.cluster) last.glyphs.push(glyph);
    else clusters.push({ text: "", start: info.cluster, glyphs: [glyph] });
  }
  return { font, clusters: withTexts(clusters, text, stretch.end) };
}

/** A cluster's text reaches to where the next one in reading order begins. */
function withTexts(clusters: Cluster[], text: string, end: number): Cluster[] {
  let next = end;
  for (const cluster of clusters.toSorted((one, other) => other.start - one.start)) {
    cluster.text = text.slice(cluster.start, next);
    next = cluster.start;
  }
  return clusters;
}

function measure(runs: readonly GlyphRun[]): { width: number; ink: InkBox } {
  const ink = {
    left: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    bottom: Number.POSITIVE_INFINITY,
    top: Number.NEGATIVE_INFINITY,
  };
  let pen = 0;
  for (const { font, clusters } of runs) {
    for (const glyph of clusters.flatMap((cluster) => cluster.glyphs)) {
      addInk(ink, font, glyph, pen);
      pen += glyph.advance;
    }
  }
  return { width: pen, ink: ink.left > ink.right ? { left: 0, right: 0, bottom: 0, top: 0 } : ink };
}

function addInk(ink: InkBox, { font, unitsPerEm }: LoadedFont, glyph: Glyph, pen: number): void {
  const extents = font.glyphExtents(glyph.id);
  if (extents === undefined || extents.width === 0 || extents.height === 0) return;
  const left = pen + glyph.dx + extents.xBearing / unitsPerEm;
  const top = glyph.dy + extents.yBearing / unitsPerEm;
  ink.left = Math.min(ink.left, left);
  ink.right = Math.max(ink.right, left + extents.width / unitsPerEm);
  ink.top = Math.max(ink.top, top);
  // HarfBuzz measures height downward.
  ink.bottom = Math.min(ink.bottom, top + extents.height / unitsPerEm);
}
