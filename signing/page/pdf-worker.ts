/**
 * The worker that reads PDFs, the one of this window. It is found on the window, since the script that starts it
 * and the script that uses it share nothing else; whichever comes first starts it.
 */
export function pdfWorker(assets: string): Worker {
  const shared = globalThis as { pdfWorker?: Worker };
  shared.pdfWorker ??= new Worker(`${assets}/pdf.worker.js`, { type: "module" });
  return shared.pdfWorker;
}
