import type { InkInput } from "../../platform/contracts/http-api/sign.ts";
import { scriptFonts } from "../seal/script-fonts.ts";
import { element } from "./element.ts";

/** How the signature will look, to be put into a field. */
export function inkPreview(ink: InkInput, label: string): HTMLElement {
  if (ink.type === "typed") {
    const written = element(
      "span",
      { class: `hand hand-${ink.font ?? scriptFonts[0]?.id}`, dir: "auto" },
      ink.text,
    );
    written.style.setProperty("--letters", String(Math.max(ink.text.length, 4)));
    return written;
  }
  const source =
    "svg" in ink ? `data:image/svg+xml;base64,${btoa(ink.svg)}` : `data:image/png;base64,${ink.png_base64}`;
  return element("img", { class: "drawn", src: source, alt: label });
}
