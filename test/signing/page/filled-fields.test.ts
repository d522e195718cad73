import fc from "fast-check";
import t from "tap";
import type { SigningField } from "../../../platform/contracts/http-api/sign.ts";
import {
  completeBodyOf,
  inReadingOrder,
  isFilled,
  isForSigner,
  nextToFill,
  nothingFilled,
  progressOf,
} from "../../../signing/page/filled-fields.ts";

function field(id: string, type: SigningField["type"], over: Partial<SigningField> = {}): SigningField {
  return { id, type, page: 1, x: 10, y: 10, width: 100, height: 20, label: null, required: true, ...over };
}

t.test("the guide through the fields", async (t) => {
  t.test("goes down the page line by line, and on to the next page", async (t) => {
    const fields = [
      field("last", "text", { page: 2, y: 5 }),
      field("right", "text", { y: 103, x: 300 }),
      field("left", "text", { y: 100, x: 20 }),
      field("top", "text", { y: 20, x: 400 }),
    ];
    t.same(
      inReadingOrder(fields).map(({ id }) => id),
      ["top", "left", "right", "last"],
    );
  });

  t.test("leads to what is required and empty, and starts over at the end", async (t) => {
    const fields = [
      field("a", "text"),
      field("b", "text", { y: 50, required: false }),
      field("c", "text", { y: 90 }),
    ];
    t.equal(nextToFill(fields, nothingFilled, null)?.id, "a");
    t.equal(nextToFill(fields, nothingFilled, "a")?.id, "c");
    t.equal(nextToFill(fields, nothingFilled, "c")?.id, "a");
    t.equal(nextToFill(fields, { ...nothingFilled, values: { a: "x", c: "y" } }, "c"), null);
  });

  t.test("asks nothing that the service fills in by itself", async (t) => {
    const fields = [field("d", "date"), field("n", "name"), field("e", "email")];
    t.equal(nextToFill(fields, nothingFilled, null), null);
    t.same(progressOf(fields, nothingFilled), { done: 0, total: 0, complete: true });
  });

  t.test("takes blanks for no answer", async (t) => {
    t.notOk(isFilled(field("a", "text"), { ...nothingFilled, values: { a: "   " } }));
    t.notOk(isFilled(field("a", "checkbox"), { ...nothingFilled, values: { a: false } }));
  });
});

t.test("a signer without fields has to sign and to place the signature", async (t) => {
  const signature = { type: "typed" as const, text: "Ana" };
  const placement = { page: 1, x: 1, y: 1, width: 100, height: 30 };
  t.notOk(progressOf([], { ...nothingFilled, signature }).complete);
  t.ok(progressOf([], { ...nothingFilled, signature, placement }).complete);
  t.same(completeBodyOf([], { ...nothingFilled, signature, placement }), {
    consent: true,
    fields: [],
    signature,
    placement,
  });
});

t.test("finishing is offered exactly when every required field is filled", async (t) => {
  const types = ["signature", "initials", "date", "text", "checkbox"] as const;
  const promise = fc.property(
    fc.array(fc.tuple(fc.constantFrom(...types), fc.boolean(), fc.boolean()), { minLength: 1 }),
    (made) => {
      const fields = made.map(([type, required], index) => field(String(index), type, { required }));
      const given = Object.fromEntries(
        made.map(([type, , answered], index) => [
          String(index),
          type === "checkbox" ? answered : answered ? "x" : "",
        ]),
      );
      const filled = { ...nothingFilled, values: given };
      const missing = fields.some((one) => isForSigner(one) && one.required && !isFilled(one, filled));
      return progressOf(fields, filled).complete === !missing;
    },
  );
  t.doesNotThrow(() => fc.assert(promise));
});
