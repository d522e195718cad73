import { z } from "zod";
import { Failure } from "../../platform/contracts/failures.ts";
import { type Answer, type Route, route } from "../route.ts";
import { linkHeaders } from "./link-headers.ts";
import type { openPageFiles, PageFile } from "./page-files.ts";

type PageDeps = { pageFile: ReturnType<typeof openPageFiles> };

/**
 * Nothing is loaded from elsewhere and no inline script runs, whatever a title or a name holds. PDF.js decodes some
 * images by WebAssembly and hands fonts and pictures to the page as blobs.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self' blob: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const pageHeaders = {
  "Content-Security-Policy": contentSecurityPolicy,
  "X-Frame-Options": "DENY",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  Vary: "Accept-Encoding",
};

/** The signing page and its files. The page is the same for every link, known or not: it asks and tells kindly. */
export function pageRoutes({ pageFile }: PageDeps): Route[] {
  return [
    route({
      method: "get",
      path: "/sign/:token",
      tag: "Signing page",
      summary: "The signer's page",
      permission: null,
      answers: { 200: { schema: z.string(), contentType: "text/html" } },
      handle: async ({ headers }) =>
        fileAnswer(await known(pageFile("index.html")), headers, { ...linkHeaders, ...pageHeaders }),
    }),
    route({
      method: "get",
      path: "/sign-assets/*file",
      tag: "Signing page",
      summary: "A file of the signer's page",
      permission: null,
      params: z.object({ file: z.union([z.string(), z.array(z.string())]) }),
      answers: { 200: { schema: z.string(), contentType: "application/octet-stream" } },
      handle: async ({ params, headers }) => {
        const name = Array.isArray(params.file) ? params.file.join("/") : params.file;
        return fileAnswer(await known(pageFile(name)), headers, {
          "Cache-Control": "public, max-age=300",
          "X-Content-Type-Options": "nosniff",
          Vary: "Accept-Encoding",
        });
      },
    }),
  ];
}

async function known(file: Promise<PageFile | null>): Promise<PageFile> {
  const found = await file;
  if (found === null) throw new Failure("not_found", "There is no such file.");
  return found;
}

function fileAnswer(
  { contentType, bytes, gzipped }: PageFile,
  asked: Readonly<Record<string, string | undefined>>,
  headers: Record<string, string>,
): Answer {
  const takesGzip = /\bgzip\b/.test(asked["accept-encoding"] ?? "");
  if (gzipped === null || !takesGzip) return { contentType, bytes, headers, contentLength: bytes.length };
  return {
    contentType,
    bytes: gzipped,
    contentLength: gzipped.length,
    headers: { ...headers, "Content-Encoding": "gzip" },
  };
}
