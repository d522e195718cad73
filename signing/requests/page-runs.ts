import type { PageSize } from "../seal/place-field.ts";

/** Equal pages that follow each other, as `[count, width, height]`: most documents are a single run. */
export type PageRun = readonly [count: number, width: number, height: number];

export function runsOf(pages: readonly PageSize[]): PageRun[] {
  const runs: [number, number, number][] = [];
  for (const { width, height } of pages) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === width && last[2] === height) last[0]++;
    else runs.push([1, width, height]);
  }
  return runs;
}

export function pagesOf(runs: readonly PageRun[]): PageSize[] {
  return runs.flatMap(([count, width, height]) => Array.from({ length: count }, () => ({ width, height })));
}
