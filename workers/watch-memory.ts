import type { Worker } from "node:worker_threads";

const lookEveryMs = 250;

export type MemoryWatch = {
  watch: (thread: Worker | undefined) => void;
  exceeded: () => boolean;
  stop: () => void;
};

/**
 * Ends a step whose thread holds more than it may. A thread's own limit sees JavaScript objects only; buffers and
 * WebAssembly, where PDFs and images live, count as the heap's external memory, which can be asked for while the
 * thread computes.
 */
export function watchMemory(limitMegabytes: number, end: AbortController): MemoryWatch {
  let watched: Worker | undefined;
  let exceeded = false;
  const timer = setInterval(() => void look(), lookEveryMs);

  async function look(): Promise<void> {
    const heap = await watched?.getHeapStatistics().catch(() => undefined);
    if (heap === undefined) return;
    const bytes = heap.used_heap_size + heap.external_memory + heap.malloced_memory;
    if (bytes <= limitMegabytes * 2 ** 20) return;
    exceeded = true;
    end.abort();
  }

  return {
    watch: (thread) => {
      watched = thread;
    },
    exceeded: () => exceeded,
    stop: () => clearInterval(timer),
  };
}
