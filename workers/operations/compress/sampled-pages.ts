/** Which pages stand for a document when it is looked at: the first, the last, and up to four spread between them. */
export function sampledPages(pageCount: number): number[] {
  const samples = Math.min(6, pageCount);
  const indexes = Array.from({ length: samples }, (_, step) =>
    samples === 1 ? 0 : Math.round((step * (pageCount - 1)) / (samples - 1)),
  );
  return [...new Set(indexes)];
}
