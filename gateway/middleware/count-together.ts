/** How many were counted under a key, this one included, and when the window ends. */
export type Count = { consumedPoints: number; msBeforeNext: number };

type Batch = { points: number; sent: boolean; result: Promise<Count> };

/**
 * Counts calls of one key that come while another is being counted in one go: a busy account would else wait for the
 * lock on its own row, once a call. Each still learns its own place in the count.
 */
export function countTogether(consume: (key: string, points: number) => Promise<Count>) {
  const batches = new Map<string, Batch>();

  function begin(key: string, before: Promise<unknown>): Batch {
    const batch: Batch = { points: 0, sent: false, result: undefined as never };
    batch.result = before.then(() => {
      batch.sent = true;
      return consume(key, batch.points);
    });
    const forget = () => {
      if (batches.get(key) === batch) batches.delete(key);
    };
    batch.result.then(forget, forget);
    batches.set(key, batch);
    return batch;
  }

  return async function countOne(key: string): Promise<Count> {
    const latest = batches.get(key);
    const batch =
      latest === undefined
        ? begin(key, Promise.resolve())
        : latest.sent
          ? begin(
              key,
              latest.result.catch(() => undefined),
            )
          : latest;
    batch.points += 1;
    const place = batch.points;
    const { consumedPoints, msBeforeNext } = await batch.result;
    return { consumedPoints: consumedPoints - batch.points + place, msBeforeNext };
  };
}
