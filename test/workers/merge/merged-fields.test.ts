import { PDFArray, PDFDict, PDFDocument, PDFName, PDFString } from "pdf-lib";
import t from "tap";
import { plainText, textAt } from "../../../workers/operations/copy-pages/read-object.ts";
import { makePages } from "../../support/make-pdf.ts";
import { faultsOf, fieldsOf, plainBytesOf } from "../../support/pdf-witness.ts";
import { runMerge } from "../../support/run-page-operation.ts";

t.test("merging forms", async (t) => {
  t.test("keeps every field with its value, and renames what clashes", async (t) => {
    const first = await makePages(2, {
      fields: [
        { kind: "text", name: "total", page: 1, value: "10" },
        { kind: "text", name: "person.name", page: 2, value: "Ada" },
      ],
    });
    const second = await makePages(1, {
      fields: [
        { kind: "text", name: "total", value: "20" },
        { kind: "text", name: "person.name", value: "Grace" },
        { kind: "checkbox", name: "agreed", value: "yes" },
      ],
    });
    const { path } = await runMerge(t, [first, second, second]);
    t.same(
      fieldsOf(path).map(({ name, page, value }) => `${page} ${name}=${value}`),
      [
        "1 total=10",
        "2 person.name=Ada",
        "3 total_2=20",
        "3 person_2.name=Grace",
        "3 agreed=/Yes",
        "4 total_3=20",
        "4 person_3.name=Grace",
        "4 agreed_2=/Yes",
      ],
    );
    t.equal(faultsOf(path), "");
  });

  t.test("keeps the order in which fields are calculated", async (t) => {
    const calculated = await makePages(1, {
      fields: [
        { kind: "text", name: "net" },
        { kind: "text", name: "gross" },
      ],
      edit(document) {
        const { acroForm } = document.getForm();
        const [net, gross] = acroForm.getAllFields().map(([, ref]) => ref);
        acroForm.dict.set(PDFName.of("CO"), document.context.obj([gross, net] as never));
      },
    });
    const { file } = await runMerge(t, [calculated, calculated]);
    const form = (await PDFDocument.load(file)).catalog.lookup(PDFName.of("AcroForm"), PDFDict);
    const order = form.lookup(PDFName.of("CO"), PDFArray);
    const names = order.asArray().map((_, index) => {
      return plainText(textAt(order.lookup(index, PDFDict), "T"));
    });
    t.same(names, ["gross", "net", "gross_2", "net_2"]);
  });

  t.test("renames a form's font where another file means another font by its name", async (t) => {
    const withFont = (base: string) =>
      makePages(1, {
        fields: [{ kind: "text", name: base, value: base }],
        edit(document) {
          const { context } = document;
          const { acroForm } = document.getForm();
          const font = context.register(context.obj({ Type: "Font", Subtype: "Type1", BaseFont: base }));
          acroForm.dict.set(PDFName.of("DR"), context.obj({ Font: { Body: font } }));
          for (const [field, ref] of acroForm.getAllFields()) {
            field.dict.set(PDFName.of("DA"), PDFString.of("/Body 12 Tf 0 g"));
            document.getForm().markFieldAsClean(ref);
          }
        },
      });
    const inputs = [await withFont("Courier"), await withFont("Times-Roman"), await withFont("Courier")];
    const { file } = await runMerge(t, inputs);
    const document = await PDFDocument.load(file);
    const { acroForm } = document.getForm();
    const fonts = acroForm.dict.lookup(PDFName.of("DR"), PDFDict).lookup(PDFName.of("Font"), PDFDict);
    const drawnIn = acroForm.getAllFields().map(([field]) => {
      const appearance = field.dict.lookup(PDFName.of("DA"), PDFString).decodeText();
      const name = /^\/(\S+)/.exec(appearance)?.[1] ?? "";
      return fonts.lookup(PDFName.of(name), PDFDict).get(PDFName.of("BaseFont"))?.toString();
    });
    t.same(drawnIn, ["/Courier", "/Times-Roman", "/Courier"]);
    t.equal(fonts.keys().length, 2, "equal fonts are one");
  });

  t.test("keeps a signature's field, and not its value: it was made for another document", async (t) => {
    const { path } = await runMerge(t, [await makePages(1, { signedLooking: true }), await makePages(1)]);
    t.match(fieldsOf(path), [{ name: "Signature1", type: "/Sig", value: "" }]);
    t.notMatch(plainBytesOf(path), /ByteRange|3082abcd/);
  });

  t.test("lets actions that name a renamed field follow it", async (t) => {
    const resetting = await makePages(1, {
      fields: [{ kind: "text", name: "total" }],
      edit(document) {
        const { context } = document;
        const action = context.obj({ S: "ResetForm", Fields: [PDFString.of("total")] });
        document.getForm().acroForm.getAllFields()[0]?.[0].dict.set(PDFName.of("A"), action);
      },
    });
    const { path } = await runMerge(t, [resetting, resetting]);
    t.same(plainBytesOf(path).match(/\/Fields \[\s*\(total\w*\)/g)?.length, 2);
    t.match(plainBytesOf(path), /\/Fields \[\s*\(total_2\)/);
  });
});
