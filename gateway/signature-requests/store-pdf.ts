import type { BlobOwner, BlobRef } from "../../platform/contracts/blob.ts";
import { sourceOf } from "../../platform/contracts/http-api/file-input.ts";
import type { FetchFiles } from "../ingest/fetch-files.ts";

type PdfBody = Pick<Parameters<typeof sourceOf>[0], "pdf_base64" | "pdf_url">;

/** The blob of a body's one PDF: stored while the body arrived, or fetched now. */
export async function storePdf(
  fetchFiles: FetchFiles,
  { owner, body, signal }: { owner: BlobOwner; body: PdfBody; signal: AbortSignal },
): Promise<BlobRef> {
  const [blob] = await fetchFiles(owner, [{ source: sourceOf(body), path: "pdf_url" }], signal);
  if (blob === undefined) throw new TypeError("one file was asked for and none came");
  return blob;
}
