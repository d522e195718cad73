import type { z } from "zod";
import { Failure, type Fault } from "../../platform/contracts/failures.ts";
import { pathText } from "./file-places.ts";

type Outcome<T> = { value: T; faults: readonly Fault[] };

/** Parses fields; on faults `value` is not to be used. */
export function parseInput<T>(schema: z.ZodType<T>, fields: unknown): Outcome<T> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return { value: parsed.data, faults: [] };
  return { value: undefined as T, faults: faultsOf(parsed.error) };
}

/**
 * The same for fields that came as text: one that does not fit as it is counts as JSON (`true`, `3`, `{"a": 1}`)
 * where it can be read so.
 */
export function parseTextInput<T>(schema: z.ZodType<T>, fields: unknown): Outcome<T> {
  const asText = schema.safeParse(fields);
  if (asText.success || typeof fields !== "object" || fields === null) return parseInput(schema, fields);
  const misfits = new Set(asText.error.issues.map(({ path }) => String(path[0])));
  const read = Object.entries(fields).map(([name, value]) => [
    name,
    misfits.has(name) ? asJson(value) : value,
  ]);
  return parseInput(schema, Object.fromEntries(read));
}

/** One failure that lists every fault. */
export function refuseFaults(faults: readonly Fault[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const places = faults.map(({ path }) => path || "body").join(", ");
  const message =
    faults.length === 1
      ? `${first.path || "body"}: ${first.message}`
      : `${faults.length} faults in the request, at ${places}. See details.`;
  throw new Failure("validation_failed", message, { details: faults });
}

function faultsOf(error: z.ZodError): Fault[] {
  return error.issues.flatMap((issue) => faultsOfIssue(issue, []));
}

/** A union tells what was wrong with each of its forms; the form that came furthest is the one that was meant. */
function faultsOfIssue(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): Fault[] {
  const path = [...above, ...issue.path];
  if (issue.code !== "invalid_union" || issue.errors.length === 0)
    return [{ path: pathText(path), message: lowerCase(issue.message) }];
  const nearest = issue.errors.toSorted((one, other) => one.length - other.length)[0] ?? [];
  return nearest.flatMap((inner) => faultsOfIssue(inner, path));
}

function lowerCase(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

function asJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
