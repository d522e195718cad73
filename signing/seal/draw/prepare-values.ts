/** Everything about the values that can fail, before a page is touched: the same at signing and at sealing. */
import type { Fault } from "../../../platform/contracts/failures.ts";
import { type FittedText, fitSignature, fitText, type PlacedLine } from "../fit-text.ts";
import type { FieldBox } from "../place-field.ts";
import type { PlacedValue } from "../placed-value.ts";
import type { FontShelf } from "../text/font-shelf.ts";
import type { Typesetter } from "../text/typesetter.ts";
import { readInk, type Stroke } from "./read-ink.ts";
import { type Picture, readPicture } from "./read-picture.ts";

/** A value ready to be drawn, measured for its box. */
export type PreparedValue = { box: FieldBox } & (
  | { kind: "text"; isSignature: boolean; fontSize: number; lines: readonly PlacedLine[] }
  | { kind: "check" }
  | { kind: "strokes"; strokes: readonly Stroke[] }
  | { kind: "picture"; picture: Picture }
);

export type Typography = { shelf: FontShelf; setLine: Typesetter };

type Prepared = { ok: true; value: PreparedValue | undefined } | { ok: false; message: string };

/** The values in their order, without those that draw nothing; and a fault for each that cannot be drawn. */
export async function prepareValues(
  values: readonly PlacedValue[],
  typography: Typography,
): Promise<{ prepared: PreparedValue[]; faults: Fault[] }> {
  const prepared: PreparedValue[] = [];
  const faults: Fault[] = [];
  for (const value of values) {
    const outcome = await prepare(value, typography);
    if (!outcome.ok) faults.push({ path: value.path ?? `fields.${value.fieldId}`, message: outcome.message });
    else if (outcome.value) prepared.push(outcome.value);
  }
  return { prepared, faults };
}

async function prepare({ box, ink }: PlacedValue, { shelf, setLine }: Typography): Promise<Prepared> {
  switch (ink.kind) {
    case "text":
      return ink.text === "" ? nothing : textOf(box, fitText(ink.text, box, setLine), false);
    case "typed": {
      const hand = shelf.scriptFaces.get(ink.font);
      if (hand === undefined) return { ok: false, message: `There is no script font ${ink.font}.` };
      return textOf(box, fitSignature(ink.text, box, setLine, hand), true);
    }
    case "checkbox":
      return ink.checked ? { ok: true, value: { box, kind: "check" } } : nothing;
    case "drawn": {
      const read = readInk(ink.svg);
      return read.ok ? { ok: true, value: { box, kind: "strokes", strokes: read.strokes } } : read;
    }
    case "image": {
      const read = await readPicture(ink.pngBase64);
      return read.ok ? { ok: true, value: { box, kind: "picture", picture: read.picture } } : read;
    }
  }
}

const nothing: Prepared = { ok: true, value: undefined };

function textOf(box: FieldBox, fitted: FittedText, isSignature: boolean): Prepared {
  if (!fitted.ok) return fitted;
  const { fontSize, lines } = fitted;
  return { ok: true, value: { box, kind: "text", isSignature, fontSize, lines } };
}
