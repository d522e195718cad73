import type { CompleteBody, InkInput, SigningField } from "../../platform/contracts/http-api/sign.ts";

export type Placement = NonNullable<CompleteBody["placement"]>;

/** What the signer has given so far. Nothing is sent before the end. */
export type Filled = {
  values: Readonly<Record<string, string | boolean>>;
  signature: InkInput | null;
  initials: InkInput | null;
  placement: Placement | null;
};

export const nothingFilled: Filled = { values: {}, signature: null, initials: null, placement: null };

/** Does the signer have to do something in this field? The others are filled in by the service. */
export function isForSigner(field: SigningField): boolean {
  return field.type !== "date" && field.type !== "name" && field.type !== "email";
}

export function isFilled(field: SigningField, filled: Filled): boolean {
  switch (field.type) {
    case "signature":
      return filled.signature !== null;
    case "initials":
      return filled.initials !== null;
    case "checkbox":
      return filled.values[field.id] === true;
    case "text":
      return typeof filled.values[field.id] === "string" && String(filled.values[field.id]).trim() !== "";
    default:
      return true;
  }
}

/** Fields from the top of the document to its end, line by line as they are read. */
export function inReadingOrder(fields: readonly SigningField[]): SigningField[] {
  return [...fields].sort((a, b) => a.page - b.page || rowOf(a) - rowOf(b) || a.x - b.x);
}

/** Fields whose tops differ by less than a line of text stand in one row. */
function rowOf({ y }: SigningField): number {
  return Math.round(y / 12);
}

/** The first required field that is still empty, after `current` if there is one there. */
export function nextToFill(
  fields: readonly SigningField[],
  filled: Filled,
  current: string | null,
): SigningField | null {
  const ordered = inReadingOrder(fields);
  const at = ordered.findIndex(({ id }) => id === current);
  const round = [...ordered.slice(at + 1), ...ordered.slice(0, at + 1)];
  return round.find((field) => isForSigner(field) && field.required && !isFilled(field, filled)) ?? null;
}

export type Progress = { done: number; total: number; complete: boolean };

/** How many required fields are done. Without fields, the placed signature is the one thing to do. */
export function progressOf(fields: readonly SigningField[], filled: Filled): Progress {
  if (fields.length === 0) {
    const done = filled.signature !== null && filled.placement !== null ? 1 : 0;
    return { done, total: 1, complete: done === 1 };
  }
  const required = fields.filter((field) => isForSigner(field) && field.required);
  const done = required.filter((field) => isFilled(field, filled)).length;
  return { done, total: required.length, complete: done === required.length };
}

/** The body of the completing call: only what the request's fields ask for. */
export function completeBodyOf(fields: readonly SigningField[], filled: Filled): CompleteBody {
  const values = fields.flatMap(({ id, type }) => {
    const value = filled.values[id];
    return (type === "text" || type === "checkbox") && value !== undefined ? [{ id, value }] : [];
  });
  return {
    consent: true,
    fields: values,
    ...(filled.signature === null ? {} : { signature: filled.signature }),
    ...(filled.initials === null ? {} : { initials: filled.initials }),
    ...(fields.length === 0 && filled.placement !== null ? { placement: filled.placement } : {}),
  };
}
