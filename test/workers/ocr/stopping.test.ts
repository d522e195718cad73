import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import t, { type Test } from "tap";
import { assembleOcr } from "../../../workers/operations/ocr/assemble-ocr.ts";
import type { OcrParams, OcrPlan, PageToRecognise } from "../../../workers/operations/ocr/ocr-phases.ts";
import { recognisePage } from "../../../workers/operations/ocr/recognise-page.ts";
import { drawText } from "../../support/draw-text.ts";

const params: OcrParams = { language: "eng", outputFormat: "json", forceOcr: false };
const page: PageToRecognise = {
  page: 1,
  decision: "recognise",
  why: "it is an image",
  kind: "png",
  dpi: 300,
};
const text = "A page of words that takes a while to be recognised. ".repeat(5);

async function picture(t: Test) {
  const path = join(t.testdir(), "page.png");
  const part = await drawText({ text });
  const parts = [part, part];
  await writeFile(
    path,
    await sharp(parts, { join: { across: 1 } })
      .png()
      .toBuffer(),
  );
  return { path, size: 0 };
}

/** Seconds of processor time that this whole process, its threads included, uses in half a second. */
async function processorSeconds(): Promise<number> {
  const before = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

t.test("a page that is being recognised", async (t) => {
  t.test("uses no processor once its job is cancelled, and the next page is read", async (t) => {
    const source = await picture(t);
    const controller = new AbortController();
    const reading = recognisePage(source, page, params, { signal: controller.signal });
    // Well into recognition, where nothing but ending its thread ends it.
    setTimeout(() => controller.abort(new Error("cancelled")), 350);
    await t.rejects(reading, { message: "cancelled" });
    t.ok((await processorSeconds()) < 0.1);
    const next = await recognisePage(source, page, params, { signal: new AbortController().signal });
    t.match(next, { status: "ok", text: /A page of words/ });
  });

  t.test("is reported when it takes too long, and does not lose the others", async (t) => {
    const source = await picture(t);
    const signal = new AbortController().signal;
    const slow = await recognisePage(source, { ...page, page: 2 }, params, { signal, timeoutMs: 20 });
    t.match(slow, { page: 2, status: "timeout", text: "", confidence: null });
    const first = await recognisePage(source, page, params, { signal });
    const plan: OcrPlan = { kind: "tiff", pages: [page, { ...page, page: 2 }] };
    const context = { workDir: t.testdirName, signal, progress: () => {} };
    const { data } = await assembleOcr(source, { plan, recognised: [slow, first] }, params, context);
    t.match(data, {
      failed_pages: [2],
      pages: [
        { page: 1, status: "ok" },
        { page: 2, status: "timeout" },
      ],
    });

    const alone: OcrPlan = { kind: "tiff", pages: [{ ...page, page: 2 }] };
    const nothing = assembleOcr(source, { plan: alone, recognised: [slow] }, params, context);
    await t.rejects(nothing, { code: "processing_timeout" }, "nothing read is no empty document");
  });

  t.test("is read alike whatever was read before it", async (t) => {
    const source = await picture(t);
    const { signal } = new AbortController();
    const first = await recognisePage(source, page, params, { signal });
    const other = join(t.testdirName, "other.png");
    await writeFile(other, await drawText({ text: "Xyzzy plugh 0815 ".repeat(12) }));
    await recognisePage({ path: other, size: 0 }, page, params, { signal });
    t.same(await recognisePage(source, page, params, { signal }), first);
  });
});
