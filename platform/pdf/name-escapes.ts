/**
 * Names may write a byte as two hexadecimal digits of either case (ISO 32000-1 §7.3.5). pdf-lib reads upper case only
 * and takes `/F#e4` for a name with a number sign in it: written again it would be `/F#23e4`, and a page's content
 * would look for its font in vain.
 */
import { PDFName } from "pdf-lib";

let applied = false;

/** Lets pdf-lib read escapes of either case, for this thread; calling again does nothing. */
export function readNameEscapes(): void {
  if (applied) return;
  applied = true;
  const { of } = PDFName;
  PDFName.of = (name) => of(name.includes("#") ? name.replaceAll(/#[\da-fA-F]{2}/g, upperCase) : name);
}

function upperCase(digits: string): string {
  return digits.toUpperCase();
}
