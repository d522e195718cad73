import { z } from "zod";

/**
 * A schema as JSON Schema 2020-12, which is what OpenAPI 3.1 speaks.
 * @param io what callers send, or what we answer
 */
export function schemaOf(schema: z.ZodType, io: "input" | "output" = "output"): Record<string, unknown> {
  const { $schema, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return withoutStrictness(json) as Record<string, unknown>;
}

/** Clients must bear members that are added later, so no object of ours is said to be closed. */
function withoutStrictness(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withoutStrictness);
  if (typeof json !== "object" || json === null) return json;
  const open = Object.entries(json).filter(
    ([name, value]) => name !== "additionalProperties" || value !== false,
  );
  return Object.fromEntries(open.map(([name, value]) => [name, withoutStrictness(value)]));
}
