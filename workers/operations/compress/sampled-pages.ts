/** Which of many pages stand for all when they are looked at: the first, the last, and up to four spread between them. */
export function sampled(pages: readonly number[]): number[] {
  const samples = Math.min(6, pages.length);
  return Array.from({ length: samples }, (_, step) => {
    return pages[samples === 1 ? 0 : Math.round((step * (pages.length - 1)) / (samples - 1))] as number;
  });
}

/** Every page of a document by its index. */
export function allPages(pageCount: number): number[] {
  return Array.from({ length: pageCount }, (_, index) => index);
}
