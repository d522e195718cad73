/** A script of its own, which runs while the page's is still loading: the worker is the largest file of all. */
import { pdfWorker } from "./pdf-worker.ts";

pdfWorker(new URL(".", import.meta.url).pathname.replace(/\/$/, ""));
