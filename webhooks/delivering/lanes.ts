import type { Task } from "./task.ts";

/** First tries have slots of their own: a thousand retries to dead receivers hold up no fresh event. */
export type LaneName = "first" | "retry";

/** `hung`: the receiver let the time run out. */
export type Ended = "answered" | "hung";

type Options = {
  slots: Record<LaneName, number>;
  /** Attempts at once to one endpoint. One that hangs gets a single attempt until it answers again. */
  perEndpoint: number;
  /** Tasks that may queue in memory, for one endpoint and in all; the rest waits in the database. */
  mostQueued: { perEndpoint: number; inAll: number };
  /** Makes one attempt. Never rejects. */
  run: (task: Task) => Promise<Ended>;
  /** Called while less than half of what may queue for an endpoint does: time to ask for more, before it stands idle. */
  ranLow: (endpointId: string) => void;
};

export type Lanes = {
  add: (task: Task) => void;
  /** How many more tasks may be added for this endpoint. */
  room: (endpointId: string) => number;
  /** Takes back what has not begun. */
  takeBack: () => Task[];
  /** Resolves when nothing is under way. */
  idle: () => Promise<void>;
  counts: () => { queued: number; active: number };
};

type Line = { first: Task[]; retry: Task[]; active: number; limit: number };

/** Decides which attempt is begun next: lanes have slots, endpoints take turns, none gets more than its share. */
export function createLanes(options: Options): Lanes {
  const { slots, perEndpoint, mostQueued, run, ranLow } = options;
  const lines = new Map<string, Line>();
  const free = { ...slots };
  // Endpoints with something to begin, in the order of their turns.
  const turns: Record<LaneName, Set<string>> = { first: new Set(), retry: new Set() };
  const waitingForIdle: (() => void)[] = [];
  let queued = 0;
  let active = 0;

  function begin(lane: LaneName): void {
    for (const id of turns[lane]) {
      if (free[lane] === 0) return;
      turns[lane].delete(id);
      const line = lines.get(id);
      // An endpoint at its limit gets its turn when one of its attempts ends.
      if (line === undefined || line.active >= line.limit) continue;
      const task = line[lane].shift();
      if (task === undefined) continue;
      if (line[lane].length > 0) turns[lane].add(id);
      void attempt(lane, line, task);
    }
  }

  async function attempt(lane: LaneName, line: Line, task: Task): Promise<void> {
    queued--;
    active++;
    free[lane]--;
    line.active++;
    const ended = await run(task);
    active--;
    free[lane]++;
    line.active--;
    line.limit = ended === "hung" ? 1 : perEndpoint;
    settleLine(task.endpointId, line);
    begin("first");
    begin("retry");
    if (active === 0) for (const wake of waitingForIdle.splice(0)) wake();
  }

  function settleLine(id: string, line: Line): void {
    if (line.first.length > 0) turns.first.add(id);
    if (line.retry.length > 0) turns.retry.add(id);
    const waiting = line.first.length + line.retry.length;
    if (waiting === 0 && line.active === 0 && line.limit === perEndpoint) lines.delete(id);
    if (waiting < mostQueued.perEndpoint / 2) ranLow(id);
  }

  function add(task: Task): void {
    const lane = task.tries === 0 ? "first" : "retry";
    const line = lines.get(task.endpointId) ?? { first: [], retry: [], active: 0, limit: perEndpoint };
    lines.set(task.endpointId, line);
    line[lane].push(task);
    queued++;
    turns[lane].add(task.endpointId);
    begin(lane);
  }

  function room(endpointId: string): number {
    const line = lines.get(endpointId);
    const inLine = line === undefined ? 0 : line.first.length + line.retry.length;
    return Math.max(0, Math.min(mostQueued.perEndpoint - inLine, mostQueued.inAll - queued));
  }

  function takeBack(): Task[] {
    const taken = [...lines.values()].flatMap(({ first, retry }) => [...first.splice(0), ...retry.splice(0)]);
    queued -= taken.length;
    return taken;
  }

  const idle = () =>
    active === 0 ? Promise.resolve() : new Promise<void>((resolve) => waitingForIdle.push(resolve));
  return { add, room, takeBack, idle, counts: () => ({ queued, active }) };
}
