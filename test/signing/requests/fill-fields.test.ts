import t from "tap";
import type { CompleteBody } from "../../../platform/contracts/http-api/sign.ts";
import { fillFields, placedValues } from "../../../signing/requests/fill-fields.ts";
import type { Field } from "../../../signing/requests/request.ts";
import { makeSigner, someTime } from "../../support/make-request.ts";

const signer = makeSigner();
const box = { page: 1, x: 10, y: 10, width: 100, height: 20 };
const typed = { type: "typed" as const, text: "Ada" };

function field(number: number, type: Field["type"], required = type !== "checkbox"): Field {
  return { number, signerId: signer.id, type, box, required, label: null, ink: null };
}

function fill(fields: readonly Field[], body: Partial<CompleteBody>) {
  const pages = [{ width: 600, height: 800 }];
  const whole = { consent: true as const, fields: [], ...body };
  return fillFields({ signer, fields, pages, body: whole, at: someTime, nextNumber: 7 });
}

/** The paths of all faults. */
function faults(fields: readonly Field[], body: Partial<CompleteBody>): string[] {
  try {
    fill(fields, body);
    return [];
  } catch (error) {
    return (error as { details: { path: string }[] }).details.map(({ path }) => path);
  }
}

t.test("filling the fields of a signer", async (t) => {
  t.test("writes date, name and e-mail by itself", async (t) => {
    const filled = fill([field(1, "date"), field(2, "name"), field(3, "email")], {});
    t.same(
      filled.map(({ field: { ink } }) => ink),
      ["2026-11-21", "Ada Lovelace", "ada@example.com"].map((text) => ({ kind: "text", text })),
    );
  });

  t.test("puts one signature into each field for it", async (t) => {
    const values = placedValues(fill([field(1, "signature"), field(2, "signature")], { signature: typed }));
    t.same(
      values.map(({ fieldId, ink }) => [fieldId, ink.kind]),
      [
        ["field_1", "typed"],
        ["field_2", "typed"],
      ],
    );
  });

  t.test("leaves out what was left empty and need not be filled", async (t) => {
    const fields = [field(1, "text", false), field(2, "checkbox"), field(3, "initials", false)];
    t.same(placedValues(fill(fields, { fields: [{ id: "field_1", value: "  " }] })), []);
  });

  t.test("names everything that is missing", async (t) => {
    const fields = [
      field(1, "signature"),
      field(2, "initials"),
      field(3, "text"),
      field(4, "checkbox", true),
    ];
    const body = { fields: [{ id: "field_4", value: false }] };
    t.same(faults(fields, body), ["signature", "initials", "fields.field_3", "fields.field_4"]);
  });

  t.test("names every value that fits no field", async (t) => {
    const fields = [field(1, "text", false), field(2, "date"), field(3, "checkbox")];
    const values = [
      { id: "field_9", value: "x" },
      { id: "field_1", value: true },
      { id: "field_2", value: "1999-01-01" },
      { id: "field_3", value: "yes" },
    ];
    t.same(faults(fields, { fields: values, placement: box }), [
      "placement",
      "fields[0].id",
      "fields[1].value",
      "fields[2].value",
      "fields[3].value",
    ]);
    const twice = [
      { id: "field_1", value: "a" },
      { id: "field_1", value: "b" },
    ];
    t.same(faults(fields, { fields: twice }), ["fields[1].id"]);
  });

  t.test("knows only the hands that are offered", async (t) => {
    t.same(faults([field(1, "signature")], { signature: { ...typed, font: "comic" } }), ["signature.font"]);
  });
});

t.test("signing without fields", async (t) => {
  t.test("puts the signature where the signer placed it, as a field of its own", async (t) => {
    const [filled] = fill([], { signature: typed, placement: box });
    t.match(filled?.field, { number: 7, type: "signature", box, ink: { kind: "typed", text: "Ada" } });
  });

  t.test("needs a signature and a place on the page", async (t) => {
    t.same(faults([], {}), ["placement", "signature"]);
    t.same(faults([], { signature: typed, placement: { ...box, page: 2 } }), ["placement"]);
    t.same(faults([], { signature: typed, placement: { ...box, x: 550 } }), ["placement"]);
    t.same(faults([], { signature: typed, placement: box, fields: [{ id: "field_1", value: "x" }] }), [
      "fields[0].id",
    ]);
  });
});
