import t from "tap";
import type { CompleteBody, SigningField } from "../../../platform/contracts/http-api/sign.ts";
import { refusedFields } from "../../../signing/page/refused-fields.ts";

function field(id: string, type: SigningField["type"]): SigningField {
  return { id, type, page: 1, x: 10, y: 10, width: 100, height: 20, label: null, required: true };
}

const fields = [
  field("field_1", "signature"),
  field("field_2", "text"),
  field("field_3", "text"),
  field("field_10", "initials"),
  field("field_30", "text"),
];
const sent: CompleteBody = { consent: true, fields: [{ id: "field_3", value: "too long" }] };

t.test("a refusal is led back to its fields", async (t) => {
  const refusedBy = (path: string) =>
    refusedFields(fields, sent, [{ path, message: "" }]).map(({ id }) => id);
  t.same(refusedBy("fields[0].value"), ["field_3"], "by the place in what was sent");
  t.same(refusedBy("fields.field_2"), ["field_2"], "by its own name, when nothing was sent for it");
  t.same(refusedBy("fields.field_3"), ["field_3"], "and no other whose name begins alike");
  t.same(refusedBy("signature"), ["field_1"], "by its type");
  t.same(refusedBy("initials.text"), ["field_10"], "also where the path goes on");
  t.same(refusedBy("consent"), [], "what is about no field leads to none");
});
