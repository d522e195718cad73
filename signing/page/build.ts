import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { scriptFonts } from "../seal/script-fonts.ts";

/**
 * Builds the signing page into `built/`: one script, one style sheet, and what PDF.js loads by itself. Runs during
 * set-up; does nothing when nothing changed since.
 */
const here = import.meta.dirname;
const built = join(here, "built");
const { resolve } = createRequire(import.meta.url);
const pdfjs = dirname(resolve("pdfjs-dist/package.json"));

const fingerprint = await fingerprintOf([
  here,
  join(here, "strings"),
  join(here, "../seal/script-fonts.ts"),
  pdfjs,
]);
if ((await readFile(join(built, ".fingerprint"), "utf8").catch(() => "")) !== fingerprint) await buildPage();

async function buildPage(): Promise<void> {
  const making = `${built}.${process.pid}`;
  await mkdir(making, { recursive: true });
  await build({
    entryPoints: {
      page: join(here, "main.ts"),
      "start-worker": join(here, "start-worker.ts"),
      "pdf.worker": join(pdfjs, "build/pdf.worker.mjs"),
    },
    outdir: making,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    logLevel: "error",
  });
  for (const name of ["index.html", "icon.svg", "page.css"]) await cp(join(here, name), join(making, name));
  for (const { id, file } of scriptFonts) await cp(resolve(file), join(making, `${id}.ttf`));
  for (const folder of ["cmaps", "standard_fonts", "wasm", "iccs"]) {
    await cp(join(pdfjs, folder), join(making, folder), { recursive: true });
  }
  await writeFile(join(making, ".fingerprint"), fingerprint);
  await rm(built, { recursive: true, force: true });
  await rename(making, built);
}

/** Of the page's own files, and of the version of PDF.js. */
async function fingerprintOf(sources: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const source of sources) {
    const names = await readdir(source).catch(() => [""]);
    for (const name of names.sort()) {
      if (source === pdfjs && name !== "package.json") continue;
      hash.update(name).update(await readFile(join(source, name)).catch(() => ""));
    }
  }
  return hash.digest("hex");
}
