/** Where ink is on a page, as poppler renders it. */
import { execFileSync } from "node:child_process";
import sharp from "sharp";
import type { FieldBox } from "../../../signing/seal/place-field.ts";

export type RenderedPage = {
  /** Whether a box holds any ink. Points of the displayed page, from its top left. */
  hasInk: (box: Omit<FieldBox, "page">) => boolean;
  /** Pixels of ink that lie further than `slack` points outside all the boxes. */
  strayInk: (boxes: readonly Omit<FieldBox, "page">[], slack: number) => number;
  width: number;
  height: number;
};

const pixelsPerPoint = 2;

/** @param userUnit poppler draws a page without its UserUnit, so boxes in points are that much larger than its pixels */
export async function renderPage(path: string, page: number, userUnit = 1): Promise<RenderedPage> {
  const dpi = String(72 * pixelsPerPoint);
  const range = ["-f", String(page), "-l", String(page)];
  const png = execFileSync("pdftoppm", ["-cropbox", "-r", dpi, "-png", ...range, path], {
    maxBuffer: 2 ** 26,
  });
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  const scale = pixelsPerPoint / userUnit;
  const isInk = (x: number, y: number) => (data[y * info.width + x] ?? 255) < 160;
  const ink: [number, number][] = [];
  for (let y = 0; y < info.height; y += 1) {
    for (let x = 0; x < info.width; x += 1) if (isInk(x, y)) ink.push([(x + 0.5) / scale, (y + 0.5) / scale]);
  }
  const isIn = ([x, y]: [number, number], box: Omit<FieldBox, "page">, slack: number) =>
    x >= box.x - slack &&
    x <= box.x + box.width + slack &&
    y >= box.y - slack &&
    y <= box.y + box.height + slack;
  return {
    hasInk: (box) => ink.some((point) => isIn(point, box, 0)),
    strayInk: (boxes, slack) => ink.filter((point) => !boxes.some((box) => isIn(point, box, slack))).length,
    width: info.width / scale,
    height: info.height / scale,
  };
}
