import type { Fault } from "../../platform/contracts/failures.ts";
import type { CompleteBody, SigningField } from "../../platform/contracts/http-api/sign.ts";

/**
 * The fields that a refusal of `complete` is about, by its paths: `fields[2].value` counts in the sent body,
 * `fields.field_7` names a field, and `signature` and `initials` stand for every field of that type.
 */
export function refusedFields(
  fields: readonly SigningField[],
  sent: CompleteBody,
  faults: readonly Fault[],
): SigningField[] {
  const isRefused = ({ id, type }: SigningField) =>
    faults.some(({ path }) => {
      const [, index] = /^fields\[(\d+)\]/.exec(path) ?? [];
      if (index !== undefined) return sent.fields[Number(index)]?.id === id;
      return path === `fields.${id}` || path.split(/[.[]/)[0] === type;
    });
  return fields.filter(isRefused);
}
