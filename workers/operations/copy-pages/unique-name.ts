/** A name that clashes gets a number: "total" becomes "total_2". */

/** @returns `wanted`, or `wanted` with the first suffix that makes it new. Names are texts, or bytes with one character each. */
export function uniqueName(isTaken: (name: string) => boolean, wanted: string): string {
  if (!isTaken(wanted)) return wanted;
  // A UTF-16 string says so in its first two bytes, and its suffix must be UTF-16 too.
  const wide = wanted.startsWith("\xfe\xff");
  for (let number = 2; ; number += 1) {
    const suffix = `_${number}`;
    const name = wanted + (wide ? suffix.replaceAll(/./g, "\0$&") : suffix);
    if (!isTaken(name)) return name;
  }
}
