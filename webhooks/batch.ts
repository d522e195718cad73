type Waiting<Item> = { item: Item; resolve: () => void; reject: (error: unknown) => void };

/**
 * Gathers what comes while the last batch is being worked on, and works on it as one: a lone item waits for nothing,
 * a flood costs one transaction for many.
 * @param work its failure is every item's, unless the database refused what it was given: then each is tried alone, so
 *   that one bad item holds up no other
 */
export function createBatch<Item>(
  work: (items: Item[]) => Promise<void>,
  maxItems: number,
): (item: Item) => Promise<void> {
  const waiting: Waiting<Item>[] = [];
  let running = false;

  async function drain(): Promise<void> {
    running = true;
    // One turn of the event loop, so that what has arrived together goes together.
    await new Promise(setImmediate);
    while (waiting.length > 0) await settle(waiting.splice(0, maxItems));
    running = false;
  }

  async function settle(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      await work(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (batch.length > 1 && isRefusal(error)) for (const one of batch) await settle([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void drain();
    });
}

/** The server answered, and said no: mysql2 gives such errors an SQL state. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && "sqlState" in error;
}
