import { z } from "zod";

/** One variable: how its text becomes a value, and what to tell an operator who gave none or a wrong one. */
type Variable<Value> = { schema: z.ZodType<Value>; remedy: string; fallback?: Value };

type Values<Variables> = {
  readonly [Name in keyof Variables]: Variables[Name] extends Variable<infer V> ? V : never;
};

export const text = z.string().min(1);
export const wholeNumber = z.string().regex(/^\d+$/).transform(Number);
export const commaList = z.string().transform((list) =>
  list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

/** Declares a variable. Without a fallback it must be set. */
export function variable<Value>(schema: z.ZodType<Value>, remedy: string, fallback?: Value): Variable<Value> {
  return fallback === undefined ? { schema, remedy } : { schema, remedy, fallback };
}

/**
 * A service's environment as a frozen object. An empty variable counts as unset.
 * @throws Error that names every missing or wrong variable at once, each with its remedy
 */
export function readEnv<Variables extends Record<string, Variable<unknown>>>(
  environment: Readonly<Record<string, string | undefined>>,
  variables: Variables,
): Values<Variables> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { schema, remedy, fallback }] of Object.entries(variables)) {
    const given = environment[name];
    if (given === undefined || given === "") {
      if (fallback === undefined) problems.push(`${name} is missing; ${remedy}`);
      values[name] = fallback;
      continue;
    }
    const parsed = schema.safeParse(given);
    if (!parsed.success) problems.push(`${name} is not usable; ${remedy}`);
    values[name] = parsed.data;
  }
  if (problems.length > 0) throw new Error(`The environment is not complete:\n  ${problems.join("\n  ")}`);
  return Object.freeze(values) as Values<Variables>;
}
