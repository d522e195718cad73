/**
 * A drawn signature as strokes. The SVG of signature_pad comes from a browser that nobody vouches for: what is not
 * a stroke or a dot is refused, and nothing of the text itself gets into the PDF.
 */

/** Points and lengths in the drawing's own units, y downward. */
export type Stroke = { commands: readonly PathCommand[]; width: number };
export type PathCommand =
  | { op: "move" | "line"; points: readonly [number, number] }
  | { op: "curve"; points: readonly [number, number, number, number, number, number] };

export type ReadInk = { ok: true; strokes: Stroke[] } | { ok: false; message: string };

// A long signature has some 2,000 segments of 150 bytes.
const maxCharacters = 1_000_000;
const maxStrokes = 20_000;

export function readInk(svg: string): ReadInk {
  if (svg.length > maxCharacters) return refused(`is longer than ${maxCharacters} characters`);
  if (!/^\s*(<\?xml[^>]*\?>\s*)?<svg[\s>]/.test(svg)) return refused("is not an SVG");
  const strokes: Stroke[] = [];
  for (const [, name = "", attributes = ""] of svg.matchAll(/<([^\s/>]*)([^>]*)>/g)) {
    if (/^(\?xml|svg|rect|g|)$/.test(name)) continue;
    const stroke =
      name === "path" ? readPath(attributes) : name === "circle" ? readDot(attributes) : undefined;
    if (stroke === undefined) return refused("holds something else than paths and circles");
    strokes.push(stroke);
    if (strokes.length > maxStrokes) return refused(`has more than ${maxStrokes} strokes`);
  }
  if (strokes.length === 0) return refused("is empty");
  return { ok: true, strokes };
}

function refused(why: string): ReadInk {
  return { ok: false, message: `The drawing ${why}; send what signature_pad's toSVG() gives.` };
}

function readPath(attributes: string): Stroke | undefined {
  const width = Number(attribute(attributes, "stroke-width") ?? "2");
  const commands = readPathData(attribute(attributes, "d") ?? "");
  return commands && Number.isFinite(width) && width > 0 ? { commands, width } : undefined;
}

/** A dot is a very short stroke with round ends: readers differ on strokes without any length. */
function readDot(attributes: string): Stroke | undefined {
  const [x, y, radius] = ["cx", "cy", "r"].map((name) => Number(attribute(attributes, name) ?? Number.NaN));
  if (x === undefined || y === undefined || radius === undefined) return undefined;
  if (![x, y, radius].every(Number.isFinite) || radius <= 0) return undefined;
  return {
    commands: [
      { op: "move", points: [x, y] },
      { op: "line", points: [x + 0.01, y] },
    ],
    width: 2 * radius,
  };
}

function attribute(attributes: string, name: string): string | undefined {
  return attributes
    .match(new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`))
    ?.slice(1)
    .find(Boolean);
}

const argumentCounts: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, Q: 4, Z: 0 };

/** SVG 2 §9.3 without arcs and smooth curves, which no pad of strokes makes; undefined for anything else. */
function readPathData(data: string): PathCommand[] | undefined {
  const commands: PathCommand[] = [];
  const pen = { x: 0, y: 0, startX: 0, startY: 0 };
  if (!/^[\sMLHVCQZmlhvcqz\d.,eE+-]*$/.test(data)) return undefined;
  for (const [, letter = "", text = ""] of data.matchAll(/([MLHVCQZmlhvcqz])([^MLHVCQZmlhvcqz]*)/g)) {
    const values = (text.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g) ?? []).map(Number);
    const count = argumentCounts[letter.toUpperCase()] ?? 0;
    if (count === 0 ? values.length > 0 : values.length === 0 || values.length % count !== 0)
      return undefined;
    if (!values.every((value) => Math.abs(value) < 1e6)) return undefined;
    for (let at = 0; at === 0 || at < values.length; at += count || 1) {
      // Further pairs after a move are lines.
      const own = at > 0 && letter === "M" ? "L" : at > 0 && letter === "m" ? "l" : letter;
      commands.push(readCommand(own, values.slice(at, at + count), pen));
    }
  }
  return commands[0]?.op === "move" ? commands : undefined;
}

type Pen = { x: number; y: number; startX: number; startY: number };

function readCommand(letter: string, values: number[], pen: Pen): PathCommand {
  const relative = letter === letter.toLowerCase();
  const [dx, dy] = relative ? [pen.x, pen.y] : [0, 0];
  const kind = letter.toUpperCase();
  const at = (index: number) => (values[index] ?? 0) + (index % 2 === 0 ? dx : dy);
  const from = [pen.x, pen.y] as const;
  if (kind === "Z") moveTo(pen, pen.startX, pen.startY);
  else if (kind === "H") moveTo(pen, at(0), pen.y);
  else if (kind === "V") moveTo(pen, pen.x, (values[0] ?? 0) + dy);
  else moveTo(pen, at(values.length - 2), at(values.length - 1));
  if (kind === "M") [pen.startX, pen.startY] = [pen.x, pen.y];
  if (kind === "C") return { op: "curve", points: [at(0), at(1), at(2), at(3), pen.x, pen.y] };
  if (kind === "Q")
    return { op: "curve", points: [...raised(from, [at(0), at(1)], [pen.x, pen.y]), pen.x, pen.y] };
  return { op: kind === "M" ? "move" : "line", points: [pen.x, pen.y] };
}

function moveTo(pen: Pen, x: number, y: number): void {
  pen.x = x;
  pen.y = y;
}

type Point = readonly [number, number];

/** The two control points of the cubic curve that a quadratic one is. */
function raised(from: Point, control: Point, to: Point): [number, number, number, number] {
  const toward = (end: number, middle: number) => end + (2 / 3) * (middle - end);
  return [
    toward(from[0], control[0]),
    toward(from[1], control[1]),
    toward(to[0], control[0]),
    toward(to[1], control[1]),
  ];
}
