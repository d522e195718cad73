/** What a caller is told of a grapheme that no font has. */
export function missingGlyph(grapheme: string): string {
  const codes = [...grapheme].map((character) => `U+${hex(character.codePointAt(0) ?? 0)}`).join(" ");
  return `No installed font can draw “${grapheme}” (${codes}).`;
}

function hex(codePoint: number): string {
  return codePoint.toString(16).toUpperCase().padStart(4, "0");
}
