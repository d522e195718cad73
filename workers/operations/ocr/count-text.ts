/** The figures of a text. */

/** Words as Unicode segments them (UAX #29 with dictionaries), so that scripts without spaces count too. */
export function countWords(text: string): number {
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter("en", { granularity: "word" }).segment(text)) {
    if (isWordLike) words += 1;
  }
  return words;
}

/** Code points, not UTF-16 units. */
export function countCharacters(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}
