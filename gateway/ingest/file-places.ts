import type { JsonPath } from "./json-outline.ts";

/**
 * Where a body may hold files, read from a route's `files`: `pdf_base64` is one file, `files[].pdf_base64` one in
 * each of a list.
 */
export type FilePlaces = {
  isFile: (path: JsonPath) => boolean;
  /** Puts files that have no path of their own (parts of a form, a raw body) into the fields. */
  place: (fields: Record<string, unknown>, files: readonly unknown[]) => Record<string, unknown>;
};

export function filePlaces(patterns: readonly string[]): FilePlaces {
  const [first = ""] = patterns;
  const [list, field = ""] = first.includes("[].") ? first.split("[].") : [undefined, first];
  return {
    isFile: (path) => patterns.includes(patternOf(path)),
    place: (fields, files) => {
      if (files.length === 0) return fields;
      if (list === undefined) return { ...fields, [field]: files[0] };
      const listed = Array.isArray(fields[list]) ? fields[list] : [];
      return { ...fields, [list]: [...listed, ...files.map((file) => ({ [field]: file }))] };
    },
  };
}

/** `["files", 3, "pdf_base64"]` → `files[].pdf_base64` */
function patternOf(path: JsonPath): string {
  return path
    .map((step) => (typeof step === "number" ? "[]" : `.${step}`))
    .join("")
    .slice(1);
}

/** As faults name a place: `["files", 3, "pdf_base64"]` → `files[3].pdf_base64` */
export function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return text.startsWith(".") ? text.slice(1) : text;
}
