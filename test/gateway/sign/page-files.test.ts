import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import t from "tap";
import { openPageFiles } from "../../../gateway/sign/page-files.ts";
import { ownFolder } from "../../support/start-servers.ts";

t.test("the signing page's files", async (t) => {
  const folder = await ownFolder(t);
  await mkdir(join(folder, "built/cmaps"), { recursive: true });
  await writeFile(join(folder, "secret.txt"), "no page of ours");
  await writeFile(join(folder, "built/page.js"), "let a = 1;");
  await writeFile(join(folder, "built/cmaps/H.bcmap"), "map");
  await writeFile(join(folder, "built/.fingerprint"), "x");
  const pageFile = openPageFiles(join(folder, "built"));

  t.test("are told with their type, compressed where that helps", async (t) => {
    const script = await pageFile("page.js");
    t.equal(script?.contentType, "text/javascript; charset=utf-8");
    t.equal(gunzipSync(script?.gzipped ?? "").toString(), "let a = 1;");
    t.match(await pageFile("cmaps/H.bcmap"), { contentType: "application/octet-stream", gzipped: null });
  });

  t.test("are all that can be had", async (t) => {
    for (const name of [
      "../secret.txt",
      "cmaps/../../secret.txt",
      "/etc/passwd",
      ".fingerprint",
      "cmaps",
      "",
    ]) {
      t.equal(await pageFile(name), null, name);
    }
  });
});
