// The scripts that share a font with another one or are shaped by rules of their own. Whatever is not here has a
// font to itself, so the spans by font already part it from the rest.
const scripts = [
  "Latin",
  "Greek",
  "Cyrillic",
  "Armenian",
  "Georgian",
  "Hebrew",
  "Arabic",
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Oriya",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Sinhala",
  "Thai",
  "Lao",
  "Tibetan",
  "Myanmar",
  "Khmer",
  "Ethiopic",
  "Hangul",
  "Hiragana",
  "Katakana",
  "Han",
] as const;

const patterns = scripts.map((script) => [script, new RegExp(`^\\p{Script=${script}}`, "u")] as const);

/** Cuts a stretch of text where its script changes (UAX #24 §5.1): shaping rules belong to one script. */
export function scriptRuns(text: string, start: number, end: number): { start: number; end: number }[] {
  const runs: { start: number; end: number }[] = [];
  let current: string | undefined;
  let index = start;
  for (const character of text.slice(start, end)) {
    const script = scriptOf(character);
    const last = runs.at(-1);
    // Spaces, digits, stops and marks go with what they follow; leading ones with what they precede.
    if (last && (script === undefined || current === undefined || script === current)) {
      last.end = index + character.length;
    } else runs.push({ start: index, end: index + character.length });
    current = script ?? current;
    index += character.length;
  }
  return runs;
}

function scriptOf(character: string): string | undefined {
  if (/^[\p{Script=Common}\p{Script=Inherited}]/u.test(character)) return undefined;
  return patterns.find(([, pattern]) => pattern.test(character))?.[0] ?? "other";
}
