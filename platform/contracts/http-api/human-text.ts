import { z } from "zod";

/** Controls that have no place in a name or a title; a message may have line breaks and tabs besides. */
const controls = /\p{Cc}|[\u2028\u2029]/u;
const controlsInParagraphs = /(?![\n\r\t])\p{Cc}/u;

/** One line that people read: trimmed, 1 to `maxLength` characters, without control characters. */
export function lineOfText(maxLength: number) {
  return z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(maxLength, `must not be longer than ${maxLength} characters`)
    .refine(isWhole, "holds half a character (a lone surrogate)")
    .refine((text) => !controls.test(text), "must be one line without control characters");
}

/** Text of several lines, up to `maxLength` characters; may be empty. */
export function paragraphs(maxLength: number) {
  return z
    .string()
    .max(maxLength, `must not be longer than ${maxLength} characters`)
    .refine(isWhole, "holds half a character (a lone surrogate)")
    .refine((text) => !controlsInParagraphs.test(text), "must not hold control characters");
}

// Hashes are taken over UTF-8, which has no form for half a surrogate pair.
function isWhole(text: string): boolean {
  return text.isWellFormed();
}
