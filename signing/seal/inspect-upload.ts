/** What an upload is, before anyone is asked to sign it: what sealing would stumble over is refused here. */
import { Failure } from "../../platform/contracts/failures.ts";
import { countDigitalSignatures } from "../../platform/pdf/digital-signatures.ts";
import { hasDynamicXfa } from "../../platform/pdf/dynamic-xfa.ts";
import { openPdf } from "../../platform/pdf/open-pdf.ts";
import { pageBox } from "../../platform/pdf/page-box.ts";
import { openBase } from "./open-base.ts";
import type { InspectedPdf } from "./seal-order.ts";
import { withWholeFile } from "./with-whole-file.ts";

/** @throws Failure `encrypted_pdf`, `signed_pdf`, `unsupported_pdf`, `invalid_pdf`, `too_complex` */
export function inspectUpload(path: string): Promise<InspectedPdf> {
  return withWholeFile(path, inspect);
}

async function inspect(bytes: Buffer): Promise<InspectedPdf> {
  const { document } = await openPdf(bytes);
  if (countDigitalSignatures(document) > 0) {
    const message = "This PDF carries a digital signature already; signing it here would void that one.";
    throw new Failure("signed_pdf", message);
  }
  if (hasDynamicXfa(document)) {
    const message =
      "This PDF is a dynamic XFA form, whose pages exist in Adobe's reader alone; print it to a PDF first.";
    throw new Failure("unsupported_pdf", message);
  }
  // The very pages that will be sealed, so that a field is drawn where it was placed.
  const { pages } = await openBase(bytes);
  return {
    pages: pages.map(({ dict }) => {
      const { shownWidth, shownHeight } = pageBox(dict);
      return { width: shownWidth, height: shownHeight };
    }),
  };
}
