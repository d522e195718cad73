import { Readable } from "node:stream";
import type { ResultData } from "../../platform/contracts/result-data.ts";
import type { Answer, AnswerFile } from "../route.ts";
import type { Context } from "../state.ts";
import { type BareFile, bareFiles } from "./bare-files.ts";
import { jsonWithFiles, jsonWithFilesLength } from "./json-with-files.ts";
import { zipOf } from "./zip-of.ts";

type Result = { result: ResultData; files: readonly AnswerFile[] };

/**
 * Writes an answer: in the JSON envelope, or, where a result has files and the client prefers them bare, as one PDF
 * (`Accept: application/pdf`) or as a ZIP of its files (`Accept: application/zip`).
 */
export function sendAnswer(context: Context, answer: Answer): void {
  context.status = answer.status ?? 200;
  context.set(answer.headers ?? {});
  if ("contentType" in answer) sendBytes(context, answer);
  else if ("data" in answer) sendEnvelope(context, { result: answer.data as ResultData, files: [] });
  else sendResult(context, answer);
}

function sendResult(context: Context, answer: Result): void {
  const bare = bareFiles(answer.result);
  const [first, second] = bare;
  const form = context.accepts("application/json", "application/pdf", "application/zip");
  if (form === "application/pdf" && first !== undefined && second === undefined)
    sendPdf(context, answer, first);
  else if (form === "application/zip" && first !== undefined) sendZip(context, answer, bare);
  else sendEnvelope(context, answer);
}

function sendEnvelope(context: Context, { result, files }: Result): void {
  const envelope = { success: true, data: result, request_id: context.state.requestId };
  context.type = "application/json";
  if (files.length === 0) {
    context.body = JSON.stringify(envelope);
    return;
  }
  context.body = Readable.from(jsonWithFiles(envelope, files), { objectMode: true, highWaterMark: 1 });
  context.length = jsonWithFilesLength(envelope, files);
}

/** Figures become headers: `savings_percent: 41.07` → `X-Savings-Percent: 41.07`. */
function sendPdf(context: Context, { files }: Result, { mark, about }: BareFile): void {
  for (const [name, value] of Object.entries(about)) {
    if (typeof value === "number" || (typeof value === "string" && /^[\x20-\x7e]{1,100}$/.test(value)))
      context.set(headerName(name), String(value));
  }
  const file = fileOf(files, mark.$file);
  context.body = file.open();
  context.type = "application/pdf";
  context.length = file.size;
}

function headerName(field: string): string {
  return `X-${field.replaceAll("_", "-").replace(/\b[a-z]/g, (letter) => letter.toUpperCase())}`;
}

function sendZip(context: Context, { files }: Result, bare: readonly BareFile[]): void {
  const entries = bare.map(({ mark, about }, index) => ({
    name: `${typeof about.name === "string" ? about.name : `file_${index + 1}`}.pdf`,
    file: fileOf(files, mark.$file),
  }));
  context.body = zipOf(entries);
  context.type = "application/zip";
}

function fileOf(files: readonly AnswerFile[], index: number): AnswerFile {
  const file = files[index];
  if (file === undefined) throw new Error(`the result has no file ${index}`);
  return file;
}

function sendBytes(context: Context, answer: Extract<Answer, { contentType: string }>): void {
  context.body = answer.bytes instanceof Uint8Array ? Buffer.from(answer.bytes) : answer.bytes;
  context.type = answer.contentType;
  if (answer.contentLength !== undefined) context.length = answer.contentLength;
}
