/** One content stream: follows matrix and font through it, and notes images, codes and names. */
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRawStream } from "pdf-lib";
import { type Operand, readOperators } from "./content-operators.ts";
import { identity, type Matrix, matrixOfOperands, multiply } from "./matrix.ts";
import type { Placement, Walk } from "./walk-contents.ts";

export type ContentHolder = { bytes: Uint8Array; resources: PDFDict | undefined; depth: number };

type State = { matrix: Matrix; font: PDFDict | undefined };

// Deeper than any writer nests; a hostile one would fill the memory with saved states.
const maxSavedStates = 4096;

/** The images that the content shows, in its own space. Text codes and names go straight into the walk's uses. */
export function readContent(walk: Walk, { bytes, resources, depth }: ContentHolder): Placement[] {
  const reading: Reading = { walk, resources, depth, placed: [] };
  const saved: State[] = [];
  let state: State = { matrix: identity, font: undefined };
  readOperators(bytes, (operator, operands) => {
    if (operator === "Q") state = saved.pop() ?? state;
    else if (operator !== "q") state = stateAfter(reading, state, operator, operands);
    else if (saved.length < maxSavedStates) saved.push(state);
  });
  return reading.placed;
}

type Reading = {
  walk: Walk;
  resources: PDFDict | undefined;
  depth: number;
  placed: Placement[];
};

function stateAfter(reading: Reading, state: State, operator: string, operands: readonly Operand[]): State {
  switch (operator) {
    case "cm": {
      const matrix = matrixOfOperands(operands);
      return matrix ? { ...state, matrix: multiply(matrix, state.matrix) } : state;
    }
    case "Do": {
      const object = resource(reading, "XObject", operands[0]);
      if (object instanceof PDFRawStream && isForm(object)) show(reading, object, state.matrix);
      else if (object instanceof PDFRawStream) reading.placed.push({ image: object, matrix: state.matrix });
      return state;
    }
    case "Tf":
      return { ...state, font: useFont(reading, resource(reading, "Font", operands[0])) };
    case "Tj":
    case "TJ":
    case "'":
    case '"':
      if (state.font) noteCodes(reading.walk, state.font, operands);
      return state;
    case "gs": {
      const graphics = resource(reading, "ExtGState", operands[0]);
      return graphics instanceof PDFDict ? withGraphicsState(reading, graphics, state) : state;
    }
    case "scn":
    case "SCN": {
      const pattern = resource(reading, "Pattern", operands.at(-1));
      if (pattern instanceof PDFRawStream) show(reading, pattern, identity);
      return state;
    }
    default:
      return state;
  }
}

function resource(
  { walk, resources }: Reading,
  category: string,
  operand: Operand | undefined,
): PDFObject | undefined {
  if (typeof operand !== "string") return undefined;
  const group = resources?.lookup(PDFName.of(category));
  if (!(group instanceof PDFDict)) return undefined;
  noteName(walk, group, category, operand);
  return group.lookup(PDFName.of(operand.slice(1)));
}

function show({ walk, resources, depth, placed }: Reading, form: PDFRawStream, matrix: Matrix): void {
  for (const inner of walk.form(form, resources, depth + 1)) {
    placed.push({ image: inner.image, matrix: multiply(inner.matrix, matrix) });
  }
}

function withGraphicsState(reading: Reading, graphics: PDFDict, before: State): State {
  const mask = graphics.lookup(PDFName.of("SMask"));
  const group = mask instanceof PDFDict ? mask.lookup(PDFName.of("G")) : undefined;
  if (group instanceof PDFRawStream) show(reading, group, before.matrix);
  const font = graphics.lookup(PDFName.of("Font"));
  return font instanceof PDFArray ? { ...before, font: useFont(reading, font.lookup(0)) } : before;
}

function isForm(stream: PDFRawStream): boolean {
  return stream.dict.lookup(PDFName.of("Subtype")) === PDFName.of("Form");
}

function noteName(walk: Walk, group: PDFDict, category: string, name: string): void {
  const categories = walk.uses.names.get(group) ?? new Map<string, Set<string>>();
  const names = categories.get(category) ?? new Set<string>();
  walk.uses.names.set(group, categories.set(category, names.add(name.slice(1))));
}

function useFont({ walk, resources, depth }: Reading, font: PDFObject | undefined): PDFDict | undefined {
  if (!(font instanceof PDFDict)) return undefined;
  if (font.lookup(PDFName.of("Subtype")) === PDFName.of("Type3")) walk.glyphs(font, resources, depth + 1);
  if (!walk.uses.codes.has(font)) walk.uses.codes.set(font, new Set());
  return font;
}

function noteCodes(walk: Walk, font: PDFDict, operands: readonly Operand[]): void {
  const codes = walk.uses.codes.get(font);
  if (codes === undefined) return;
  const isComposite = font.lookup(PDFName.of("Subtype")) === PDFName.of("Type0");
  for (const operand of operands.flat()) {
    if (!(operand instanceof Uint8Array)) continue;
    if (!isComposite) for (const byte of operand) codes.add(byte);
    // Two bytes a code holds for the identity encodings, the only ones whose fonts are cut down.
    else
      for (let at = 0; at + 1 < operand.length; at += 2)
        codes.add(((operand[at] as number) << 8) | (operand[at + 1] as number));
  }
}
