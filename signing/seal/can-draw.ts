/** Whether a text can be put on paper with the fonts of this machine: asked before anyone signs, never after. */
import { chooseFonts } from "./text/choose-fonts.ts";
import { drawableText } from "./text/drawable-text.ts";
import type { FontShelf } from "./text/font-shelf.ts";

/**
 * Undefined when every character can be drawn; otherwise a sentence for the caller that names the first that cannot.
 * @param shelf from `openFontShelf()`, opened once
 */
export function canDraw(text: string, shelf: FontShelf): string | undefined {
  const drawable = drawableText(text);
  if (!drawable.ok) return drawable.message;
  for (const line of drawable.lines) {
    const choice = chooseFonts(line, shelf);
    if (!choice.ok) return missingGlyph(choice.missing);
  }
  return undefined;
}

/** What a caller is told of a grapheme that no font has. */
export function missingGlyph(grapheme: string): string {
  const codes = [...grapheme].map((character) => `U+${hex(character.codePointAt(0) ?? 0)}`).join(" ");
  return `No installed font can draw “${grapheme}” (${codes}).`;
}

function hex(codePoint: number): string {
  return codePoint.toString(16).toUpperCase().padStart(4, "0");
}
