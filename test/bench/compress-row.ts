/** One file, compressed by us as the service does it, by Ghostscript and by qpdf. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { openPdf } from "../../platform/pdf/open-pdf.ts";
import { documentTraits } from "../../workers/operations/compress/document-traits.ts";
import type { PdfThreads } from "../../workers/pdf-threads.ts";
import { documentLoss } from "./document-loss.ts";
import { treeCpuMs } from "./tree-cpu.ts";

const ghostscript = ["-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", "-dPDFSETTINGS=/ebook"];
const qpdf = ["--object-streams=generate", "--recompress-flate", "--compression-level=9"];
const peerTimeoutMs = 30_000;
const ourTimeoutMs = 120_000;

export type Cost = { wallMs: number; cpuMs: number };

export type CompressRow = {
  file: string;
  size: number;
  ours: Cost & { bytes: number; method: string };
  gs: Cost & { bytes: number; kept: boolean };
  qpdf: { bytes: number };
  /** Whether Ghostscript's form is one of our candidates. */
  mayBeRebuilt: boolean;
  lost: string | undefined;
};

/** The row; the code of the failure where we refused the file. */
export async function compressRow(
  threads: PdfThreads,
  file: string,
  scratch: string,
): Promise<CompressRow | string> {
  const folder = mkdtempSync(join(scratch, "file-"));
  const [gsOut, qpdfOut, ourOut, workDir] = ["gs.pdf", "qpdf.pdf", "ours.pdf", ""].map((name) =>
    join(folder, name),
  );
  if (!gsOut || !qpdfOut || !ourOut || !workDir) throw new Error("No folder to work in");
  try {
    const gs = await costOf(() =>
      spawnSync("gs", [...ghostscript, `-sOutputFile=${gsOut}`, file], { timeout: peerTimeoutMs }),
    );
    spawnSync("qpdf", [...qpdf, file, qpdfOut], { timeout: peerTimeoutMs });
    const source = { path: file, size: statSync(file).size };
    const params = { level: "medium", allowBreakingSignatures: true } as const;
    const bounds = { workDir, signal: AbortSignal.timeout(ourTimeoutMs) };
    const ours = await costOf(() => threads.run("compress", { sources: [source], params }, bounds));
    writeFileSync(ourOut, ours.value.files[0] as Uint8Array);
    const { mayBeRebuilt } = documentTraits(await openPdf(readFileSync(file)));
    return {
      file: basename(file),
      size: source.size,
      ours: { ...ours.cost, bytes: sizeOf(ourOut), method: String(ours.value.data.method) },
      gs: {
        ...gs.cost,
        bytes: sizeOf(gsOut),
        kept: (await documentLoss(file, gsOut, ["fields", "tags"]).catch(String)) === undefined,
      },
      qpdf: { bytes: sizeOf(qpdfOut) },
      mayBeRebuilt,
      lost: await documentLoss(file, ourOut),
    };
  } catch (fault) {
    return fault instanceof Error && "code" in fault ? String(fault.code) : String(fault);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function costOf<T>(work: () => T | Promise<T>): Promise<{ value: T; cost: Cost }> {
  const [cpuBefore, started] = [treeCpuMs(), performance.now()];
  const value = await work();
  return { value, cost: { wallMs: performance.now() - started, cpuMs: treeCpuMs() - cpuBefore } };
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}
