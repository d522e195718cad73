/** Plane geometry as PDF writes it: [a b c d e f], points as row vectors (ISO 32000-1 §8.3.3). */

/** x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** First the first, then the next, and so on. */
export function inTurn(...steps: readonly Matrix[]): Matrix {
  return steps.reduce(
    ([a, b, c, d, e, f], [g, h, i, j, k, l]): Matrix => [
      a * g + b * i,
      a * h + b * j,
      c * g + d * i,
      c * h + d * j,
      e * g + f * i + k,
      e * h + f * j + l,
    ],
    identity,
  );
}

export function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): [x: number, y: number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** Clockwise as seen with y downward, about a point. */
export function rotation(radians: number, aboutX: number, aboutY: number): Matrix {
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return inTurn([1, 0, 0, 1, -aboutX, -aboutY], [cos, sin, -sin, cos, 0, 0], [1, 0, 0, 1, aboutX, aboutY]);
}

/** From an image turned clockwise by `angle` back to the image of `width` × `height` before, y downward. */
export function undoTurn(angle: 0 | 90 | 180 | 270, width: number, height: number): Matrix {
  if (angle === 90) return [0, -1, 1, 0, 0, height];
  if (angle === 180) return [-1, 0, 0, -1, width, height];
  if (angle === 270) return [0, 1, -1, 0, width, 0];
  return identity;
}
