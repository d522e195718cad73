import { english, type Texts } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import { spanish } from "./spanish.ts";

const languages: Readonly<Record<string, Texts>> = { en: english, es: spanish, fr: french, de: german };

/**
 * The first of the browser's languages that the page speaks (`de-AT` finds German), else English.
 * @returns `tag` for the document's `lang`
 */
export function chooseTexts(preferred: readonly string[]): { tag: string; texts: Texts } {
  for (const wanted of preferred) {
    const tag = wanted.toLowerCase().split("-")[0] ?? "";
    const texts = languages[tag];
    if (texts !== undefined) return { tag, texts };
  }
  return { tag: "en", texts: english };
}

/** Puts values where a text has `{name}`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
