import { setTimeout as pause } from "node:timers/promises";

/** Asks again and again until the answer is neither null nor undefined; for what tells nobody when it happens. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null | undefined>,
  withinMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${withinMs / 1000} s`);
    await pause(50);
  }
}
