/**
 * Where a field lies. Callers place fields on the page as a reader shows it: in points (1/72 inch), from the top
 * left of the CropBox after rotation, y downward. PDF user space is something else (ISO 32000-1 §8.3.2.3): from the
 * bottom left of the MediaBox, before rotation, in units of UserUnit points.
 */
import type { Fault } from "../../platform/contracts/failures.ts";
import type { PageBox } from "../../platform/pdf/page-box.ts";

/** Page numbers start at 1; lengths in points of the displayed page. */
export type FieldBox = { page: number; x: number; y: number; width: number; height: number };

/** In points, as shown. */
export type PageSize = { width: number; height: number };

/** a b c d e f of a PDF transformation matrix (ISO 32000-1 §8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];

/**
 * Takes points of the displayed page, with the origin at its bottom LEFT and y upward (so that text drawn in it
 * stands upright for the reader), to user space.
 */
export function displayedToUserSpace({ x, y, width, height, quarterTurns, userUnit }: PageBox): Matrix {
  const unit = 1 / userUnit;
  switch (quarterTurns) {
    case 0:
      return [unit, 0, 0, unit, x, y];
    case 1:
      return [0, unit, -unit, 0, x + width, y];
    case 2:
      return [-unit, 0, 0, -unit, x + width, y + height];
    case 3:
      return [0, -unit, unit, 0, x, y + height];
  }
}

// Sizes travel rounded through JSON and CSS; a hair's breadth over the edge is still on the page.
const slackPoints = 0.1;

/**
 * Every box that does not lie wholly on its page.
 * @param fields boxes with the path that a caller knows each by (`signers[0].fields[2]`)
 * @param pages sizes of all pages in order
 */
export function fieldsOutsidePage(
  fields: readonly { path: string; box: FieldBox }[],
  pages: readonly PageSize[],
): Fault[] {
  return fields.flatMap(({ path, box }) => {
    const message = faultOfBox(box, pages);
    return message === undefined ? [] : [{ path, message }];
  });
}

function faultOfBox(box: FieldBox, pages: readonly PageSize[]): string | undefined {
  const page = pages[box.page - 1];
  if (page === undefined) {
    return `There is no page ${box.page}; the document has pages 1 to ${pages.length}.`;
  }
  const numbers = [box.x, box.y, box.width, box.height];
  const leaves =
    !numbers.every(Number.isFinite) ||
    box.width <= 0 ||
    box.height <= 0 ||
    box.x < -slackPoints ||
    box.y < -slackPoints ||
    box.x + box.width > page.width + slackPoints ||
    box.y + box.height > page.height + slackPoints;
  if (!leaves) return undefined;
  const size = `${round(page.width)} × ${round(page.height)}`;
  return `The box leaves page ${box.page}, which is ${size} points; x and y count from its top left.`;
}

function round(length: number): number {
  return Math.round(length * 100) / 100;
}
