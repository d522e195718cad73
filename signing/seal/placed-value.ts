import type { FieldBox } from "./place-field.ts";
import type { ScriptFontId } from "./script-fonts.ts";

export type FieldType = "signature" | "initials" | "date" | "name" | "email" | "text" | "checkbox";

/**
 * What a value looks like on the page. Plain data, so that it can be stored, hashed and posted to a thread.
 * `drawn` is what signature_pad's `toSVG()` gives; `image` a PNG, as base64.
 */
export type Ink =
  | { kind: "text"; text: string }
  | { kind: "checkbox"; checked: boolean }
  | { kind: "typed"; text: string; font: ScriptFontId }
  | { kind: "drawn"; svg: string }
  | { kind: "image"; pngBase64: string };

/** One value and where it belongs. */
export type PlacedValue = {
  fieldId: string;
  type: FieldType;
  box: FieldBox;
  ink: Ink;
  /** Where a fault is reported: the path of this value in the call's body, `fields[2].value`. Not hashed, not drawn. */
  path?: string | undefined;
};
