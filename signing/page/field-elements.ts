import type { SigningField, SigningView } from "../../platform/contracts/http-api/sign.ts";
import { element } from "./element.ts";
import { type Filled, isFilled } from "./filled-fields.ts";
import { inkPreview } from "./ink-preview.ts";
import type { Texts } from "./strings/english.ts";

export type FieldEvents = {
  ink: (kind: "signature" | "initials", field: SigningField) => void;
  value: (field: SigningField, value: string | boolean) => void;
};

export type FieldElement = { field: SigningField; box: HTMLElement; update: (filled: Filled) => void };

/** Says of a field whether what it holds was refused; its next change takes that back. */
export function markRefused({ box }: FieldElement, refused: boolean): void {
  box.classList.toggle("refused", refused);
  for (const control of box.querySelectorAll("button, input, textarea"))
    control.setAttribute("aria-invalid", String(refused));
}

type Deps = { signer: SigningView["signer"]; texts: Texts; on: FieldEvents };

/** The control of one field, to be laid over its page where the sealed PDF will show the value. */
export function fieldElement(
  field: SigningField,
  page: { width: number; height: number },
  deps: Deps,
): FieldElement {
  const box = element("div", { class: `field field-${field.type}`, "data-field": field.id });
  place(box, field, page);
  const name = nameOf(field, deps.texts);
  switch (field.type) {
    case "signature":
    case "initials":
      return inkField(field, field.type, box, name, deps);
    case "checkbox":
      return checkboxField(field, box, name, deps);
    case "text":
      return textField(field, box, name, deps);
    default:
      return filledField(field, box, name, deps);
  }
}

/** In parts of the page, so that zooming needs no arithmetic. Text is sized by the field's height. */
export function place(
  box: HTMLElement,
  at: { x: number; y: number; width: number; height: number },
  page: { width: number; height: number },
): void {
  box.style.left = `${(100 * at.x) / page.width}%`;
  box.style.top = `${(100 * at.y) / page.height}%`;
  box.style.width = `${(100 * at.width) / page.width}%`;
  box.style.height = `${(100 * at.height) / page.height}%`;
  box.style.setProperty("--field-height", String(at.height / page.width));
  box.style.setProperty("--field-width", String(at.width / page.width));
}

function nameOf(field: SigningField, texts: Texts): string {
  const label = field.label ?? texts[`field_${field.type}`];
  return `${label} (${field.required ? texts.required : texts.optional})`;
}

function inkField(
  field: SigningField,
  kind: "signature" | "initials",
  box: HTMLElement,
  name: string,
  { texts, on }: Deps,
): FieldElement {
  const open = element("button", { type: "button" });
  open.addEventListener("click", () => on.ink(kind, field));
  box.append(open);
  const invitation = kind === "signature" ? texts.signHere : texts.initialHere;
  return {
    field,
    box,
    update: (filled) => {
      const ink = filled[kind];
      open.replaceChildren(ink === null ? (field.label ?? invitation) : inkPreview(ink, name));
      // A name that speech control finds begins with what is seen (WCAG 2.5.3).
      open.setAttribute("aria-label", `${open.textContent} ${name}`.trim());
      box.classList.toggle("done", ink !== null);
    },
  };
}

function checkboxField(field: SigningField, box: HTMLElement, name: string, { on }: Deps): FieldElement {
  const input = element("input", { type: "checkbox", "aria-label": name, title: name });
  input.addEventListener("change", () => on.value(field, input.checked));
  box.append(input);
  return { field, box, update: (filled) => box.classList.toggle("done", isFilled(field, filled)) };
}

function textField(field: SigningField, box: HTMLElement, name: string, { on }: Deps): FieldElement {
  // A box higher than two lines is meant for several.
  const input = field.height > 30 ? element("textarea") : element("input", { type: "text" });
  input.setAttribute("aria-label", name);
  input.setAttribute("placeholder", field.label ?? "");
  input.setAttribute("maxlength", "5000");
  input.setAttribute("dir", "auto");
  input.addEventListener("input", () => on.value(field, input.value));
  box.append(input);
  return { field, box, update: (filled) => box.classList.toggle("done", isFilled(field, filled)) };
}

function filledField(
  field: SigningField,
  box: HTMLElement,
  name: string,
  { signer, texts }: Deps,
): FieldElement {
  // The date as it will be written, in UTC: what the signer sees is what is sealed.
  const value = {
    date: new Date().toISOString().slice(0, 10),
    name: signer.name,
    email: signer.email,
  }[field.type as "date" | "name" | "email"];
  const label = `${name.replace(/ \(.*$/, "")}, ${texts.filledForYou}`;
  box.append(
    element(
      "span",
      { class: "filled", dir: "auto", title: label, role: "note", "aria-label": `${label}: ${value}` },
      value,
    ),
  );
  return { field, box, update: () => box.classList.add("done") };
}
