import { PDFName } from "pdf-lib";
import t from "tap";
import { countDigitalSignatures } from "../../../platform/pdf/digital-signatures.ts";
import { hasDynamicXfa } from "../../../platform/pdf/dynamic-xfa.ts";
import { openPdf } from "../../../platform/pdf/open-pdf.ts";
import { makePdf, type PdfPlan } from "../../support/make-pdf.ts";

t.test("a document counts as signed", async (t) => {
  t.test("when it carries a signature's value", async (t) => {
    t.equal(await signatures({ signedLooking: true }), 1);
  });

  t.test("not by an empty signature field, nor by a plain form", async (t) => {
    t.equal(await signatures({ fields: [{ kind: "signature", name: "here" }] }), 0);
    t.equal(await signatures({ fields: [{ kind: "text", name: "a", value: "b" }] }), 0);
  });

  t.test("not by usage rights, which nobody signed", async (t) => {
    const asUsageRights: PdfPlan["edit"] = (document) => {
      const field = document.getForm().acroForm.getAllFields().at(-1)?.[0].dict;
      const value = field?.get(PDFName.of("V"));
      field?.delete(PDFName.of("V"));
      document.catalog.set(PDFName.of("Perms"), document.context.obj({ UR3: value as never }));
    };
    t.equal(await signatures({ signedLooking: true, edit: asUsageRights }), 0);
  });
});

t.test("a form whose pages a program makes is told from one that only carries data", async (t) => {
  const withXfa = (needsRendering: boolean): PdfPlan => ({
    edit({ catalog, context }) {
      catalog.set(PDFName.of("AcroForm"), context.obj({ Fields: [], XFA: [] }));
      if (needsRendering) catalog.set(PDFName.of("NeedsRendering"), context.obj(true));
    },
  });
  t.equal(hasDynamicXfa((await openPdf(await makePdf(withXfa(true)))).document), true);
  t.equal(hasDynamicXfa((await openPdf(await makePdf(withXfa(false)))).document), false);
  t.equal(hasDynamicXfa((await openPdf(await makePdf())).document), false);
});

async function signatures(plan: PdfPlan): Promise<number> {
  return countDigitalSignatures((await openPdf(await makePdf(plan))).document);
}
