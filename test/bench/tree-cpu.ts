/** The processor time that this process and all it has started have used: what a machine shared with others cannot blur. */
import { readdirSync, readFileSync } from "node:fs";

// USER_HZ, which Linux has fixed at 100 for programs.
const ticksPerSecond = 100;

/** Milliseconds of user and system time since the process began; children that have ended count too. */
export function treeCpuMs(root = process.pid): number {
  const all = new Map<number, { parent: number; ticks: number }>();
  for (const entry of readdirSync("/proc")) {
    const found = /^\d+$/.test(entry) ? statOf(entry) : undefined;
    if (found) all.set(Number(entry), found);
  }
  let ticks = 0;
  for (const [pid, found] of all) if (descendsFrom(all, pid, root)) ticks += found.ticks;
  return (ticks / ticksPerSecond) * 1000;
}

function statOf(pid: string): { parent: number; ticks: number } | undefined {
  try {
    // The program's name stands in brackets and may hold anything; behind them are numbers alone.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ")
      .map(Number);
    const [utime, stime, childUtime, childStime] = fields.slice(11, 15) as [number, number, number, number];
    return { parent: fields[1] as number, ticks: utime + stime + childUtime + childStime };
  } catch {
    return undefined;
  }
}

function descendsFrom(all: ReadonlyMap<number, { parent: number }>, pid: number, root: number): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = all.get(at)?.parent) {
    if (at === root) return true;
  }
  return false;
}
