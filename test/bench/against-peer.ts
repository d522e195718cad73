/** Times ours and a peer's way of doing the same in turn, so that what else the machine does falls on both. */
export type Row = { name: string; oursMs: number; peerMs: number; bound: number; notes: string };

const rounds = 5;

/** @returns medians in milliseconds; both are run once before, for the caches and the compiler to be warm */
export async function againstPeer(
  ours: () => Promise<unknown>,
  peer: () => unknown,
): Promise<{ oursMs: number; peerMs: number }> {
  const [oursMs, peerMs]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const one = await timed(ours);
    const other = await timed(async () => peer());
    if (round === 0) continue;
    oursMs.push(one);
    peerMs.push(other);
  }
  return { oursMs: median(oursMs), peerMs: median(peerMs) };
}

export function printRows(rows: readonly Row[]): void {
  console.table(
    rows.map(({ name, oursMs, peerMs, bound, notes }) => ({
      what: name,
      "ours ms": Math.round(oursMs),
      "peer ms": Math.round(peerMs),
      ratio: (oursMs / peerMs).toFixed(2),
      bound: `≤ ${bound.toFixed(1)}`,
      notes,
    })),
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
