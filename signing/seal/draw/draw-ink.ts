import type { BoxSize } from "../fit-text.ts";
import { number } from "./operators.ts";
import type { Stroke } from "./read-ink.ts";

/** Strokes as path operators (ISO 32000-1 §8.5), their ink as large as the box lets it be, and in its middle. */
export function drawInk(strokes: readonly Stroke[], box: BoxSize): string {
  const ink = inkOf(strokes);
  const scale = Math.min(box.width / ink.width, box.height / ink.height, largestScale);
  const left = (box.width - ink.width * scale) / 2 - ink.left * scale;
  const top = box.height - (box.height - ink.height * scale) / 2 + ink.top * scale;
  const paths = strokes.map(({ commands, width }) => {
    const lines = commands.map(({ op, points }) => {
      const moved = points.map((value, index) =>
        index % 2 === 0 ? left + value * scale : top - value * scale,
      );
      return `${moved.map(number).join(" ")} ${letters[op]}\n`;
    });
    return `${number(width * scale)} w\n${lines.join("")}S\n`;
  });
  return `1 J 1 j\n${paths.join("")}`;
}

const letters = { move: "m", line: "l", curve: "c" } as const;

// A dot alone must not fill the box.
const largestScale = 4;

/** The bounding box of everything the strokes can touch, control points included. */
function inkOf(strokes: readonly Stroke[]): { left: number; top: number; width: number; height: number } {
  let [left, right, top, bottom] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const { commands, width } of strokes) {
    for (const { points } of commands) {
      for (const [index, value] of points.entries()) {
        if (index % 2 === 0)
          [left, right] = [Math.min(left, value - width / 2), Math.max(right, value + width / 2)];
        else [top, bottom] = [Math.min(top, value - width / 2), Math.max(bottom, value + width / 2)];
      }
    }
  }
  return { left, top, width: right - left, height: bottom - top };
}
