import type { Fault } from "../../platform/contracts/failures.ts";
import type { CompleteBody } from "../../platform/contracts/http-api/sign.ts";
import type { Ink } from "../seal/placed-value.ts";
import { scriptFonts } from "../seal/script-fonts.ts";

/** A signature or initials as given, as what is drawn; null for none, and for one with a fault, which is told. */
export function inkOf(mark: CompleteBody["signature"], path: string, faults: Fault[]): Ink | null {
  if (!mark) return null;
  if (mark.type === "typed") {
    const wanted = mark.font ?? scriptFonts[0]?.id;
    const font = scriptFonts.find(({ id }) => id === wanted);
    if (font !== undefined) return { kind: "typed", text: mark.text, font: font.id };
    const ids = scriptFonts.map(({ id }) => id).join(", ");
    faults.push({ path: `${path}.font`, message: `There is no such hand; take one of ${ids}.` });
    return null;
  }
  if ("svg" in mark) return { kind: "drawn", svg: mark.svg };
  return { kind: "image", pngBase64: mark.png_base64.replace(/^data:image\/png;base64,/, "") };
}
