/** Damaged and encrypted files, made plain and whole by other programs than the one that stumbled. */
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../contracts/failures.ts";
import { openInPdfium } from "./pdfium-document.ts";
import { runBounded } from "./run-bounded.ts";

export type RepairOptions = { workDir?: string | undefined; signal?: AbortSignal | undefined };

// What `qpdf --is-encrypted` exits with.
const notEncrypted = 2;
const maxRewrittenBytes = 512 * 2 ** 20;

/**
 * The file as qpdf rewrites it: decrypted with the empty password, its cross-references rebuilt, its streams untouched.
 * Undefined when qpdf gives nothing.
 * @param isEncrypted what the caller knows: a repair that finds no more of it leaves the contents unreadable
 * @throws Failure `encrypted_pdf` when it needs a password.
 */
export async function rewriteWithQpdf(
  bytes: Uint8Array,
  options: RepairOptions,
  isEncrypted = false,
): Promise<Uint8Array | undefined> {
  const folder = await mkdtemp(join(options.workDir ?? tmpdir(), `qpdf-${randomUUID()}-`));
  try {
    const source = join(folder, "in.pdf");
    const target = join(folder, "out.pdf");
    await writeFile(source, bytes);
    const args = [
      "--decrypt",
      "--stream-data=preserve",
      "--object-streams=preserve",
      "--no-warn",
      source,
      target,
    ];
    const bounds = {
      cpuSeconds: 20,
      memoryBytes: 2 ** 30 + bytes.length * 4,
      wallMs: 30_000,
      signal: options.signal,
    };
    const ended = await runBounded("qpdf", args, bounds);
    if (/invalid password/i.test(ended.output)) throw lockedFailure();
    // 3 is "with warnings": what could be read was written.
    if (ended.code !== 0 && ended.code !== 3) return undefined;
    if (isEncrypted && ended.code === 3) {
      const seen = await runBounded("qpdf", ["--is-encrypted", source], bounds);
      if (seen.code === notEncrypted) return undefined;
    }
    const { size } = await stat(target);
    return size > maxRewrittenBytes ? undefined : await readFile(target);
  } catch (fault) {
    if (fault instanceof Error && "code" in fault && fault.code === "ENOENT") return undefined;
    throw fault;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The file as PDFium saves it; undefined when PDFium cannot open it. @throws Failure `encrypted_pdf`. */
export async function rewriteWithPdfium(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  // Saving draws nothing, and a form whose fields are no tree would keep the engine for ever.
  const document = await openInPdfium(bytes, { drawFields: false });
  if (document === "password") throw lockedFailure();
  if (document === "damaged") return undefined;
  try {
    return document.pageCount > 0 ? document.saveCopy() : undefined;
  } catch {
    // Beyond the last repair there is none.
    return undefined;
  } finally {
    document.close();
  }
}

/** What the owner of a file with a password is told. */
export function lockedFailure(): Failure {
  return new Failure(
    "encrypted_pdf",
    "This PDF is locked with a password. Unlock it first, then send it again.",
  );
}
