import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { createPdfThreads } from "../../workers/pdf-threads.ts";
import { makePages } from "../support/make-pdf.ts";
import { rawPdf, rawStream } from "../support/raw-pdf.ts";
import { ownFolder } from "../support/start-servers.ts";

const never = new AbortController().signal;

t.test("threads that work on PDFs", async (t) => {
  const workDir = await ownFolder(t);
  const threads = createPdfThreads({ count: 1, memoryMegabytes: 150, preload: ["split"] });
  t.teardown(() => threads.close());
  const source = async (name: string, bytes: Uint8Array) => {
    const path = join(workDir, name);
    await writeFile(path, bytes);
    return { path, size: bytes.length };
  };
  const small = await source("small.pdf", await makePages(2));
  const pages = { mode: "pages" } as const;

  t.test("give back the result, its files and how far they are", async (t) => {
    const told: number[] = [];
    const progress = (done: number) => told.push(done);
    const split = { sources: [small], params: pages };
    const { data, files } = await threads.run("split", split, { workDir, signal: never, progress });
    t.match(data, { original_pages: 2, files_count: 2 });
    t.equal(files.length, 2);
    t.match(files[0], Uint8Array);
    t.equal(told[0], 1);
  });

  t.test("give back a failure as the operation threw it", async (t) => {
    const notPdf = await source("not.pdf", Buffer.from("hello"));
    const split = { sources: [notPdf], params: pages };
    await t.rejects(threads.run("split", split, { workDir, signal: never }), {
      name: "Failure",
      code: "invalid_pdf",
    });
  });

  t.test("stop at once when told to, and take the next piece of work", async (t) => {
    const long = await source("long.pdf", await makePages(1500));
    const stop = new AbortController();
    const split = { sources: [long], params: pages };
    const bounds = { workDir, signal: stop.signal, progress: () => stop.abort("cancelled") };
    const running = threads.run("split", split, bounds);
    let stoppedAt = 0;
    stop.signal.addEventListener("abort", () => {
      stoppedAt = performance.now();
    });
    await running.then(
      () => t.fail("it ran to its end"),
      (reason) => t.equal(reason, "cancelled"),
    );
    t.ok(performance.now() - stoppedAt < 1500, "it stops within its grace");
    t.match(await threads.run("split", { sources: [small], params: pages }, { workDir, signal: never }), {
      data: { files_count: 2 },
    });
  });

  t.test("refuse what needs more memory than a slot may use, and live on", async (t) => {
    const content = rawStream(" ".repeat(160 * 2 ** 20));
    const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>";
    const large = await source(
      "large.pdf",
      rawPdf(["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", page, content]),
    );
    const split = { sources: [large], params: pages };
    await t.rejects(threads.run("split", split, { workDir, signal: never }), { code: "too_complex" });
    t.match(await threads.run("split", { sources: [small], params: pages }, { workDir, signal: never }), {
      data: { files_count: 2 },
    });
  });
});
