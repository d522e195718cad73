import { Failure, type Fault } from "../../platform/contracts/failures.ts";
import type { CompleteBody } from "../../platform/contracts/http-api/sign.ts";
import { fieldsOutsidePage, type PageSize } from "../seal/place-field.ts";
import type { FieldType, Ink, PlacedValue } from "../seal/placed-value.ts";
import { inkOf } from "./mark-ink.ts";
import type { Field } from "./request.ts";

/** How the page names a field. */
export function fieldId({ number }: Pick<Field, "number">): string {
  return `field_${number}`;
}

/** What the service itself writes into a field when its signer signs; null for those that the signer fills. */
export function automaticInk(type: FieldType, signer: { name: string; email: string }, at: Date): Ink | null {
  switch (type) {
    case "name":
      return { kind: "text", text: signer.name };
    case "email":
      return { kind: "text", text: signer.email };
    case "date":
      // A date has no time zone of its own: UTC, as every time on the certificate.
      return { kind: "text", text: at.toISOString().slice(0, 10) };
    default:
      return null;
  }
}

export type Filling = {
  signer: { id: string; name: string; email: string };
  /** The signer's own. */
  fields: readonly Field[];
  pages: readonly PageSize[];
  body: CompleteBody;
  at: Date;
  /** For the field that free placement makes. */
  nextNumber: number;
};

/** A field with its value, and the path in the body that a fault of the value is told by. */
type Filled = { field: Field; path: string };

/**
 * The signer's fields with what is to be drawn in them; without fields, one where the signature was placed.
 * @throws Failure `validation_failed` with everything that is missing, unknown or out of place
 */
export function fillFields(filling: Filling): Filled[] {
  const faults: Fault[] = [];
  const filled = filling.fields.length === 0 ? placed(filling, faults) : withValues(filling, faults);
  if (faults.length === 0) return filled;
  throw new Failure("validation_failed", "Some values are missing or cannot be used; see details.", {
    details: faults,
  });
}

/** As the sealer takes them; fields left empty are not drawn. */
export function placedValues(filled: readonly Filled[]): PlacedValue[] {
  return filled.flatMap(({ field, path }) =>
    field.ink === null
      ? []
      : [{ fieldId: fieldId(field), type: field.type, box: field.box, ink: field.ink, path }],
  );
}

function placed({ signer, pages, body, nextNumber }: Filling, faults: Fault[]): Filled[] {
  for (const [index] of body.fields.entries()) {
    faults.push({ path: `fields[${index}].id`, message: "This signer has no fields." });
  }
  const box = body.placement;
  if (!box) faults.push({ path: "placement", message: "Say where on the page the signature goes." });
  else faults.push(...fieldsOutsidePage([{ path: "placement", box }], pages));
  const ink = inkOf(body.signature, "signature", faults);
  if (ink === null && !body.signature)
    faults.push({ path: "signature", message: "The signature is missing." });
  if (!box || ink === null) return [];
  const { page, x, y, width, height } = box;
  const field: Field = {
    number: nextNumber,
    signerId: signer.id,
    type: "signature",
    box: { page, x, y, width, height },
    required: true,
    label: null,
    ink,
  };
  return [{ field, path: "signature" }];
}

function withValues(filling: Filling, faults: Fault[]): Filled[] {
  const { fields, body, signer, at } = filling;
  if (body.placement) {
    faults.push({ path: "placement", message: "The fields of this signer are placed already." });
  }
  const given = givenValues(filling, faults);
  const signature = inkOf(body.signature, "signature", faults);
  const initials = inkOf(body.initials, "initials", faults);
  const missing = new Set<string>();
  const filled = fields.map((field): Filled => {
    const value = given.get(fieldId(field));
    const path = value?.path ?? (field.type === "initials" ? "initials" : "signature");
    const marks: Partial<Record<FieldType, Ink | null>> = { signature, initials };
    const ink = marks[field.type] ?? value?.ink ?? automaticInk(field.type, signer, at);
    if (field.required && ink === null) missing.add(missingPath(field));
    return { field: { ...field, ink }, path };
  });
  for (const path of missing) {
    // A mark that was given and has a fault of its own is not missing.
    if (!faults.some((fault) => fault.path.startsWith(path)))
      faults.push({ path, message: `${path} is required.` });
  }
  return filled;
}

/** Signature and initials are given once for all their fields; others field by field. */
function missingPath(field: Field): string {
  return field.type === "signature" || field.type === "initials" ? field.type : `fields.${fieldId(field)}`;
}

function givenValues({ fields, body }: Filling, faults: Fault[]) {
  const given = new Map<string, { path: string; ink: Ink | null }>();
  for (const [index, { id, value }] of body.fields.entries()) {
    const path = `fields[${index}]`;
    const field = fields.find((candidate) => fieldId(candidate) === id);
    const fault = faultOfValue(field, value);
    if (fault !== undefined || field === undefined) {
      faults.push({ path: `${path}.${field === undefined ? "id" : "value"}`, message: fault ?? "" });
    } else if (given.has(id)) {
      faults.push({ path: `${path}.id`, message: "This field has a value already." });
    } else {
      given.set(id, { path: `${path}.value`, ink: valueInk(value) });
    }
  }
  return given;
}

function faultOfValue(field: Field | undefined, value: string | boolean): string | undefined {
  if (field === undefined) return "This signer has no field of this id.";
  if (field.type === "checkbox")
    return typeof value === "boolean" ? undefined : "A checkbox takes true or false.";
  if (field.type === "text") return typeof value === "string" ? undefined : "A text field takes a string.";
  return `A ${field.type} field is not filled by a value.`;
}

/** An empty text and an unset box are no values: a required field stays missing. */
function valueInk(value: string | boolean): Ink | null {
  if (typeof value === "boolean") return value ? { kind: "checkbox", checked: true } : null;
  return value.trim() === "" ? null : { kind: "text", text: value };
}
