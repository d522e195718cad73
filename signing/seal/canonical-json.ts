/**
 * A value that JSON can hold. Hashes are taken over its canonical text, so that anyone can recompute them.
 */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue };

/**
 * The JSON Canonicalization Scheme (RFC 8785): no white space, members sorted by the UTF-16 code units of their
 * names, numbers and strings as ECMAScript writes them (§3.2.2, which `JSON.stringify` follows).
 * @throws Error for what RFC 8785 has no text for: NaN, infinities, lone surrogates.
 */
export function canonicalJson(value: JsonValue): string {
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) return canonicalObject(value);
  if (typeof value === "number" && !Number.isFinite(value))
    throw new Error("JSON has no NaN and no infinity");
  if (typeof value === "string" && !value.isWellFormed()) throw new Error("JSON text has no lone surrogates");
  return JSON.stringify(value);
}

function canonicalObject(value: JsonObject): string {
  // The default order of sort() is by UTF-16 code units, as §3.2.3 asks.
  const names = Object.keys(value).sort();
  const members = names.map((name) => `${canonicalJson(name)}:${canonicalJson(value[name] ?? null)}`);
  return `{${members.join(",")}}`;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
