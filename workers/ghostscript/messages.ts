/** What a slot and its child say to each other. */

/** Parent to child: run Ghostscript once. Its bounds are kept by the child's own watchdog. */
export type GhostscriptRequest = { args: readonly string[]; deadlineMs: number; memoryBytes: number };

/** Child to parent: `ready` once after its start, then one `done` a request. */
export type GhostscriptReply = { kind: "ready"; addon: boolean } | { kind: "done"; ok: boolean };

/** Written to both output streams after a run: what came before it belongs to that run. */
export const endOfRun = "\u0000end of run\n";

/** Places in the memory that the child's main thread shares with its watchdog. A deadline of 0 means no run. */
export const watched = { deadlineAt: 0, memoryBytes: 1, length: 2 } as const;

/** The file descriptor of a pipe that only the parent's thread holds open: it ends when that thread does. */
export const lifeline = 4;

export type WatchdogData = { shared: Float64Array; parentPid: number; folder: string };
