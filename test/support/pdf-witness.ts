/** What qpdf and poppler, which share no code with this project, say of a PDF. */
import { spawnSync } from "node:child_process";

/** @returns what qpdf finds wrong, as text; empty when nothing */
export function faultsOf(path: string): string {
  const { status, stdout, stderr } = spawnSync("qpdf", ["--check", path], { encoding: "utf8" });
  return status === 0 ? "" : stdout + stderr;
}

/** @param page from 1; all pages when missing */
export function textOf(path: string, page?: number): string {
  const range = page === undefined ? [] : ["-f", String(page), "-l", String(page)];
  const { stdout } = spawnSync("pdftotext", [...range, path, "-"], { encoding: "utf8" });
  return stdout.replaceAll(/\s+/g, " ").trim();
}

/** Page sizes as a reader shows them, in points, "width x height". */
export function pageSizesOf(path: string): string[] {
  const { stdout } = spawnSync("pdfinfo", ["-l", "9999", path], { encoding: "utf8" });
  const turned = [...stdout.matchAll(/^Page\s+\d+ rot:\s+(\d+)$/gm)].map(
    ([, angle]) => Number(angle) % 180 !== 0,
  );
  return [...stdout.matchAll(/^Page\s+\d+ size:\s+([\d.]+) x ([\d.]+)/gm)].map(([, width, height], index) =>
    turned[index] ? `${height} x ${width}` : `${width} x ${height}`,
  );
}

export type WitnessedEntry = { title: string; page: number | null; children: WitnessedEntry[] };
export type WitnessedField = { name: string; page: number; type: string; value: string };

/** The outline, with page numbers from 1. */
export function outlineOf(path: string): WitnessedEntry[] {
  type Entry = { title: string; destpageposfrom1: number | null; kids: Entry[] };
  const convert = ({ title, destpageposfrom1, kids }: Entry): WitnessedEntry => ({
    title,
    page: destpageposfrom1,
    children: kids.map(convert),
  });
  return (json(path, "outlines").outlines as Entry[]).map(convert);
}

/** The form's fields in the form's order. */
export function fieldsOf(path: string): WitnessedField[] {
  type Field = { fullname: string; pageposfrom1: number; fieldtype: string; value: string | null };
  const { fields } = json(path, "acroform").acroform as { fields: Field[] };
  return fields.map(({ fullname, pageposfrom1, fieldtype, value }) => ({
    name: fullname,
    page: pageposfrom1,
    type: fieldtype,
    value: value?.replace(/^u:/, "") ?? "",
  }));
}

export function attachmentsOf(path: string): string[] {
  return Object.keys(json(path, "attachments").attachments as object);
}

/** Everything in the file as text, streams unpacked: what is not found in it is not in the file. */
export function plainBytesOf(path: string): string {
  const { stdout } = spawnSync("qpdf", ["--qdf", "--object-streams=disable", path, "-"], {
    encoding: "latin1",
    maxBuffer: 2 ** 28,
  });
  return stdout;
}

function json(path: string, key: string): Record<string, unknown> {
  const { stdout } = spawnSync("qpdf", ["--json", `--json-key=${key}`, path], { encoding: "utf8" });
  return JSON.parse(stdout);
}
