/**
 * Names may write a byte as two hexadecimal digits of either case (ISO 32000-1 §7.3.5). pdf-lib reads upper case only
 * and takes `/F#e4` for a name with a number sign in it: written again it would be `/F#23e4`, and a page's content
 * would look for its font in vain.
 */
import { PDFName } from "pdf-lib";

let applied = false;

// Documents use the same few hundred names over and over; a hostile one shall not fill the memory with others.
const maxKnown = 10_000;

/**
 * Lets pdf-lib read escapes of either case, for this thread, and remember the names it has met: it would decode each
 * anew whenever one is asked for. Calling again does nothing.
 */
export function readNameEscapes(): void {
  if (applied) return;
  applied = true;
  const { of } = PDFName;
  const known = new Map<string, PDFName>();
  PDFName.of = (name) => {
    const met = known.get(name);
    if (met) return met;
    const found = of(name.includes("#") ? name.replaceAll(/#[\da-fA-F]{2}/g, upperCase) : name);
    if (known.size < maxKnown) known.set(name, found);
    return found;
  };
}

function upperCase(digits: string): string {
  return digits.toUpperCase();
}
