/** A page as a reader shows it (ISO 32000-1 §14.11.2, §7.7.3.3). */
import { PDFArray, PDFName, PDFNumber, type PDFPageLeaf } from "pdf-lib";

/** A rectangle in the page's own space, its corners sorted; lengths in units of the page (1/72 in without UserUnit). */
export type Box = { x: number; y: number; width: number; height: number };

/**
 * What a reader shows of a page: the box, how far it is turned clockwise, and the length of a unit in points.
 * `shownWidth` and `shownHeight` are in points, after turning.
 */
export type PageBox = Box & {
  quarterTurns: 0 | 1 | 2 | 3;
  userUnit: number;
  shownWidth: number;
  shownHeight: number;
};

const letter: Box = { x: 0, y: 0, width: 612, height: 792 };

/** The crop box cut to the media box, US Letter where the file gives nothing usable, as PDFium does. */
export function pageBox(leaf: PDFPageLeaf): PageBox {
  const media = boxOf(leaf, "MediaBox") ?? letter;
  const crop = boxOf(leaf, "CropBox");
  const box = (crop && intersection(crop, media)) ?? media;
  const quarterTurns = quarterTurnsOf(leaf);
  const unit = leaf.lookup(PDFName.of("UserUnit"));
  const userUnit = unit instanceof PDFNumber && unit.asNumber() > 0 ? unit.asNumber() : 1;
  const [width, height] = quarterTurns % 2 === 0 ? [box.width, box.height] : [box.height, box.width];
  return { ...box, quarterTurns, userUnit, shownWidth: width * userUnit, shownHeight: height * userUnit };
}

function boxOf(leaf: PDFPageLeaf, key: string): Box | undefined {
  const array = inherited(leaf, key);
  if (!(array instanceof PDFArray) || array.size() < 4) return undefined;
  const numbers = [0, 1, 2, 3].map((index) => {
    const number = array.lookup(index);
    return number instanceof PDFNumber ? number.asNumber() : Number.NaN;
  });
  const [left = Number.NaN, bottom = Number.NaN, right = Number.NaN, top = Number.NaN] = numbers;
  const width = Math.abs(right - left);
  const height = Math.abs(top - bottom);
  // Also false for NaN.
  return width > 0 && height > 0
    ? { x: Math.min(left, right), y: Math.min(bottom, top), width, height }
    : undefined;
}

function intersection(a: Box, b: Box): Box | undefined {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

function quarterTurnsOf(leaf: PDFPageLeaf): 0 | 1 | 2 | 3 {
  const rotate = inherited(leaf, "Rotate");
  const turns = rotate instanceof PDFNumber ? Math.round(rotate.asNumber() / 90) % 4 : 0;
  return ((turns + 4) % 4) as 0 | 1 | 2 | 3;
}

function inherited(leaf: PDFPageLeaf, key: string): unknown {
  const attribute = leaf.getInheritableAttribute(PDFName.of(key));
  return attribute && leaf.context.lookup(attribute);
}
