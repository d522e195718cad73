import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import t from "tap";
import { openBlobStore } from "../../platform/blob-store.ts";
import type { BlobRef } from "../../platform/contracts/blob.ts";
import { maxDataBytes, settleJob } from "../../platform/contracts/pdf-job.ts";
import { newId } from "../../platform/new-id.ts";
import { storeResult } from "../../workers/store-result.ts";
import { ownFolder } from "../support/start-servers.ts";

t.test("storing a result", async (t) => {
  const folder = await ownFolder(t);
  const blobs = await openBlobStore(pathToFileURL(folder).href);
  const jobId = newId("job");
  const [one, two] = [Buffer.from("one"), Buffer.from("four")];

  t.test("keeps small data as it is, and its files in one blob", async (t) => {
    const data = { size: 7, files: [{ pdf_base64: { $file: 0 } }, { pdf_base64: { $file: 1 } }] };
    const outcome = await storeResult(blobs, jobId, { data, files: [one, two] });
    t.match(outcome, { ok: true, result: { data }, fileSizes: [3, 4] });
    if (!outcome.ok || outcome.files === null) throw new Error("no files were stored");
    t.equal(await readFile(join(folder, outcome.files.key), "utf8"), "onefour");
    t.same(settleJob.question.parse({ jobId, attempt: 1, outcome }).outcome, outcome, "which the bus takes");
  });

  t.test("puts larger data into a blob", async (t) => {
    const data = { text: "x".repeat(maxDataBytes) };
    const outcome = await storeResult(blobs, jobId, { data, files: [] });
    if (!outcome.ok) throw new Error("not stored");
    t.same(await json(blobs.read(outcome.result as BlobRef)), data);
    t.equal(outcome.files, null);
  });
});
