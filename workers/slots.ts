/** Leaves the slot to the next in turn. Safe to call twice. */
export type Leave = () => void;

export type Slots = {
  /**
   * Waits for a turn in a slot, as a new job (`null`) or for more work of the job `owner`. Rejects with the signal's
   * reason when it is aborted first.
   */
  enter: (owner: string | null, signal: AbortSignal) => Promise<Leave>;
  /** A free slot at once, or null. */
  tryEnter: () => Leave | null;
  busy: () => number;
};

type Waiting = { admit: (leave: Leave) => void };

/**
 * A worker's slots, shared fairly: new jobs and more work of jobs already begun take turns, and those jobs among
 * themselves, so that the pages of a long document neither hold up a short one nor are held up by a stream of them.
 */
export function createSlots(count: number): Slots {
  let free = count;
  let lastWasNew = false;
  const newJobs: Waiting[] = [];
  // In the order of their turns: whoever had one goes to the end.
  const owners = new Map<string, Waiting[]>();

  function occupy(): Leave {
    free -= 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      free += 1;
      admitNext();
    };
  }

  function admitNext(): void {
    if (free === 0) return;
    const next = lastWasNew ? (nextOfOwners() ?? nextNewJob()) : (nextNewJob() ?? nextOfOwners());
    next?.admit(occupy());
  }

  function nextNewJob(): Waiting | undefined {
    const next = newJobs.shift();
    if (next !== undefined) lastWasNew = true;
    return next;
  }

  function nextOfOwners(): Waiting | undefined {
    for (const [owner, waiting] of owners) {
      const next = waiting.shift();
      owners.delete(owner);
      if (waiting.length > 0) owners.set(owner, waiting);
      lastWasNew = false;
      return next;
    }
    return undefined;
  }

  function queueOf(owner: string | null): Waiting[] {
    if (owner === null) return newJobs;
    const queue = owners.get(owner) ?? [];
    owners.set(owner, queue);
    return queue;
  }

  function enter(owner: string | null, signal: AbortSignal): Promise<Leave> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const queue = queueOf(owner);
      const waiting = { admit };
      queue.push(waiting);
      signal.addEventListener("abort", giveUp, { once: true });
      admitNext();

      function admit(leave: Leave): void {
        signal.removeEventListener("abort", giveUp);
        resolve(leave);
      }
      function giveUp(): void {
        queue.splice(queue.indexOf(waiting), 1);
        if (owner !== null && queue.length === 0) owners.delete(owner);
        reject(signal.reason);
      }
    });
  }

  return {
    enter,
    tryEnter: () => (free === 0 ? null : occupy()),
    busy: () => count - free,
  };
}
