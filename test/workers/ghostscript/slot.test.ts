import { readFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { findGhostscript } from "../../../workers/ghostscript/find-ghostscript.ts";
import { runGhostscriptProgram } from "../../../workers/ghostscript/run-program.ts";
import { createGhostscriptSlot, type GhostscriptSlot } from "../../../workers/ghostscript/slot.ts";
import { makePages } from "../../support/make-pdf.ts";

const endless = ["-q", "-dSAFER", "-dBATCH", "-dNODISPLAY", "-c", "{} loop"];
const memoryBytes = 2 ** 30;

t.test("a Ghostscript slot", async (t) => {
  t.test("rewrites a PDF, and again with the same child", async (t) => {
    const slot = openSlot(t);
    const folder = t.testdir({ "in.pdf": Buffer.from(await makePages(2)) });
    for (const name of ["one.pdf", "two.pdf"]) {
      const outcome = await slot.run({ args: rewrite(folder, name), deadlineMs: 20_000, memoryBytes });
      t.match(outcome, { kind: "finished", ok: true });
      t.match(readFileSync(join(folder, name), "latin1"), /^%PDF-/);
    }
  });

  t.test("ends a run at its deadline, and takes the next job", async (t) => {
    const slot = openSlot(t);
    const started = Date.now();
    t.match(await slot.run({ args: endless, deadlineMs: 300, memoryBytes }), {
      kind: "lost",
      signal: "SIGKILL",
    });
    t.ok(Date.now() - started < 10_000);
    const folder = t.testdir({ "in.pdf": Buffer.from(await makePages(1)) });
    const next = await slot.run({ args: rewrite(folder, "out.pdf"), deadlineMs: 20_000, memoryBytes });
    t.match(next, { kind: "finished", ok: true });
  });

  t.test("ends a run that takes more memory than it may", async (t) => {
    const hungry = ["-q", "-dSAFER", "-dBATCH", "-dNODISPLAY", "-c", "[ {1000000 array} loop ]"];
    const outcome = await openSlot(t).run({ args: hungry, deadlineMs: 20_000, memoryBytes: 150 * 2 ** 20 });
    t.match(outcome, { kind: "lost" });
  });

  t.test(
    "kills a run at once when it is cancelled, and starts none for what is cancelled already",
    async (t) => {
      const slot = openSlot(t);
      const cancel = new AbortController();
      const outcome = slot.run({ args: endless, deadlineMs: 20_000, memoryBytes, signal: cancel.signal });
      setImmediate(() => cancel.abort());
      t.match(await outcome, { kind: "lost" });
      t.match(await slot.run({ args: endless, deadlineMs: 20_000, memoryBytes, signal: cancel.signal }), {
        kind: "lost",
      });
    },
  );

  t.test("hands on what Ghostscript says of a broken file", async (t) => {
    const folder = t.testdir({ "in.pdf": "%PDF-1.7\nnothing" });
    const outcome = await openSlot(t).run({
      args: rewrite(folder, "o.pdf"),
      deadlineMs: 20_000,
      memoryBytes,
    });
    t.match(outcome, { kind: "finished" });
    if (outcome.kind === "finished") t.match(outcome.output, /Error/);
  });

  t.test("keeps a document from reading files outside its own folder", async (t) => {
    const folder = t.testdir({ secret: "s3cret" });
    const peek = [
      "-q",
      "-dSAFER",
      "-dBATCH",
      "-dNODISPLAY",
      "-c",
      `(${join(folder, "secret")}) (r) file 9 string readline pop =`,
    ];
    const outcome = await openSlot(t).run({ args: peek, deadlineMs: 20_000, memoryBytes });
    if (outcome.kind === "finished") t.notMatch(outcome.output, /s3cret/);
  });

  t.test("has the program gs to fall back on", async (t) => {
    const folder = t.testdir({ "in.pdf": Buffer.from(await makePages(1)) });
    const job = { args: rewrite(folder, "out.pdf"), deadlineMs: 20_000, memoryBytes: 2 ** 32 };
    t.match(await runGhostscriptProgram(job), { kind: "finished", ok: true });
    t.match(await runGhostscriptProgram({ ...job, args: endless, deadlineMs: 300 }), { kind: "lost" });
  });

  t.test("says which Ghostscript there is", async (t) => {
    t.ok(((await findGhostscript()) ?? 0) > 900);
  });
});

function openSlot(t: Test): GhostscriptSlot {
  const slot = createGhostscriptSlot();
  t.teardown(() => slot.close());
  return slot;
}

function rewrite(folder: string, name: string): string[] {
  const target = `-sOutputFile=${join(folder, name)}`;
  return ["-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", target, join(folder, "in.pdf")];
}
