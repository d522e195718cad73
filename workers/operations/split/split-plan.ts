/** Which pages go into which part. */
import { Failure, type Fault } from "../../../platform/contracts/failures.ts";

export type SplitParams =
  | { mode: "pages" }
  | { mode: "range"; pages: number[][] }
  | { mode: "fixed"; pagesPerFile: number }
  | { mode: "equal"; numFiles: number };

// A caller may repeat pages at will, and each repetition is work: far beyond any honest request.
const maxPagesInParts = 100_000;
// Each time a page comes again it gets fields and annotations of its own, told apart by new names.
const maxTimesInPart = 1000;
// Enough to see what is wrong with a list of thousands.
const maxFaults = 100;

/**
 * @returns the parts, each a list of page numbers from 1
 * @throws Failure `validation_failed` with every fault, `too_complex` where the parts repeat pages beyond measure
 */
export function planSplit(params: SplitParams, pageCount: number): number[][] {
  switch (params.mode) {
    case "pages":
      return inParts(pageCount, pageCount);
    case "range":
      return checkedRanges(params.pages, pageCount);
    case "fixed":
      if (params.pagesPerFile < 1)
        throw invalid([{ path: "options.pages_per_file", message: "must be at least 1" }]);
      return inChunks(pageCount, params.pagesPerFile);
    case "equal":
      if (params.numFiles < 1 || params.numFiles > pageCount) {
        const message = `must be from 1 to ${pageCount}, the number of pages`;
        throw invalid([{ path: "options.num_files", message }]);
      }
      return inParts(pageCount, params.numFiles);
  }
}

/** Equal parts; the first ones get the pages left over. */
function inParts(pageCount: number, parts: number): number[][] {
  const size = Math.floor(pageCount / parts);
  const larger = pageCount % parts;
  let next = 1;
  return Array.from({ length: parts }, (_, index) => {
    const part = numbersFrom(next, index < larger ? size + 1 : size);
    next += part.length;
    return part;
  });
}

function inChunks(pageCount: number, size: number): number[][] {
  const parts: number[][] = [];
  for (let first = 1; first <= pageCount; first += size) {
    parts.push(numbersFrom(first, Math.min(size, pageCount - first + 1)));
  }
  return parts;
}

function checkedRanges(ranges: readonly number[][], pageCount: number): number[][] {
  const faults: Fault[] = [];
  if (ranges.length === 0) faults.push({ path: "options.pages", message: "must name at least one part" });
  let total = 0;
  for (const [part, pages] of ranges.entries()) {
    total += pages.length;
    if (pages.length === 0)
      faults.push({ path: `options.pages[${part}]`, message: "must name at least one page" });
    for (const [index, page] of pages.entries()) {
      if (Number.isInteger(page) && page >= 1 && page <= pageCount) continue;
      faults.push({
        path: `options.pages[${part}][${index}]`,
        message: `page ${page} does not exist: the file has pages 1 to ${pageCount}`,
      });
    }
  }
  if (faults.length > 0) throw invalid(faults);
  if (total > maxPagesInParts) {
    throw new Failure(
      "too_complex",
      `The parts have ${total} pages in all; at most ${maxPagesInParts} are allowed.`,
    );
  }
  for (const pages of ranges) refuseEndlessRepeats(pages);
  return ranges.map((pages) => [...pages]);
}

function refuseEndlessRepeats(pages: readonly number[]) {
  const times = new Map<number, number>();
  for (const page of pages) {
    const count = (times.get(page) ?? 0) + 1;
    times.set(page, count);
    if (count <= maxTimesInPart) continue;
    throw new Failure("too_complex", `A part may have the same page at most ${maxTimesInPart} times.`);
  }
}

function invalid(faults: readonly Fault[]): Failure {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return new Failure("validation_failed", `${first?.path}: ${first?.message}${more}`, {
    details: faults.slice(0, maxFaults),
  });
}

function numbersFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
