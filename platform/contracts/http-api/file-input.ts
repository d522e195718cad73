import { z } from "zod";
import type { BlobRef } from "../blob.ts";

/**
 * A file that came inside a request's body. Its bytes were stored while they arrived, so by the time a schema sees
 * the body this stands where the base64 stood. A class, since no JSON can pretend to be one.
 */
export class UploadedFile {
  readonly blob: BlobRef;
  constructor(blob: BlobRef) {
    this.blob = blob;
  }
}

/** Decoded bytes of one input file, at most. */
export const maxFileBytes = 100 * 1024 * 1024;
/** Input files of one request, at most. */
export const maxFiles = 20;

/** Where the bytes of an input file are: stored already, or still to be fetched. */
export type FileSource = { blob: BlobRef } | { url: string };

const base64File = z.instanceof(UploadedFile, { error: "must be a string of base64" }).meta({
  type: "string",
  contentEncoding: "base64",
  description:
    "The file in base64: standard or URL-safe alphabet, padding optional; white space and a `data:…;base64,` prefix are tolerated. At most 100 MB decoded.",
});

const fileUrl = z.string().max(2048).meta({
  format: "uri",
  description: "http or https on a public address; at most 3 redirects, 30 s to the first byte, 100 MB.",
});

/** The two fields of a file input, `pdf_base64` and `pdf_url`. To be completed by `oneSource`. */
export const pdfInput = { pdf_base64: base64File.nullish(), pdf_url: fileUrl.nullish() };
/** The same where images are taken too. */
export const fileInput = { file_base64: base64File.nullish(), file_url: fileUrl.nullish() };

type Prefix = "pdf" | "file";

/** Demands exactly one of a file's two fields, and says so beside all other faults of the object. */
export function oneSource<Shape extends z.ZodRawShape>(prefix: Prefix, schema: z.ZodObject<Shape>) {
  const [base64, url] = [`${prefix}_base64`, `${prefix}_url`];
  const given = (body: object) =>
    [base64, url].filter((field) => (body as Record<string, unknown>)[field] != null).length;
  return schema
    .refine((body) => given(body) > 0, {
      path: [base64],
      error: `this or ${url} is required`,
      when: ({ value }) => typeof value === "object" && value !== null,
    })
    .refine((body) => given(body) < 2, {
      path: [url],
      error: `give ${base64} or ${url}, not both`,
      when: ({ value }) => typeof value === "object" && value !== null,
    });
}

/** The file of a body that `oneSource` has let through. */
export function sourceOf(body: {
  pdf_base64?: UploadedFile | null | undefined;
  pdf_url?: string | null | undefined;
  file_base64?: UploadedFile | null | undefined;
  file_url?: string | null | undefined;
}): FileSource {
  const uploaded = body.pdf_base64 ?? body.file_base64;
  const url = body.pdf_url ?? body.file_url;
  if (uploaded != null) return { blob: uploaded.blob };
  if (url == null) throw new TypeError("a body without its file was let through");
  return { url };
}
