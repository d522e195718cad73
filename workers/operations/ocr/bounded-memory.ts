/**
 * WebAssembly memories that end at a bound. Neither PDFium nor Tesseract can be told one (their own is 2 GB, which a file
 * of 7 KB reaches by inflating), but both grow through this one method and take its refusal for "out of memory".
 */
export type BoundedMemory = {
  /** Whether a growth was refused. What asked for it is in no known state, so this stays true. */
  wasRefused: () => boolean;
  /** Of the largest memory so far. They never shrink. */
  largestBytes: () => number;
};

const pageBytes = 65_536;

/** For a thread that does nothing else: every memory of it ends at `maxBytes`. */
export function boundMemory(maxBytes: number): BoundedMemory {
  let refused = false;
  let largest = 0;
  const { prototype } = WebAssembly.Memory;
  const grow = prototype.grow;
  prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    const bytes = this.buffer.byteLength + pages * pageBytes;
    if (bytes <= maxBytes) {
      largest = Math.max(largest, bytes);
      return grow.call(this, pages);
    }
    refused = true;
    throw new RangeError("The memory's bound is reached");
  };
  return { wasRefused: () => refused, largestBytes: () => largest };
}
