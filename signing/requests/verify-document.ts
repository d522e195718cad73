import type { z } from "zod";
import type { SealReportData } from "../../platform/contracts/http-api/verify.ts";
import type * as asked from "../../platform/contracts/signature-request.ts";
import type { SealPool } from "../seal/seal-pool.ts";
import type { WithLocalFile } from "../with-local-file.ts";

type Question = z.output<typeof asked.verifyDocument.question>;

/** @throws Failure `invalid_pdf` for what carries no seal */
export function createVerifyDocument({
  pool,
  withLocalFile,
}: {
  pool: SealPool;
  withLocalFile: WithLocalFile;
}) {
  return async function verifyDocument({ document }: Question): Promise<SealReportData> {
    const report = await withLocalFile(document, (path) => pool.verify(path));
    const { certificate } = report;
    return {
      valid: report.valid,
      checks: [...report.checks],
      sha256: report.sha256,
      signature_request_id: report.requestId,
      title: report.title,
      original_sha256: report.originalSha256,
      certificate: certificate && {
        subject: certificate.subject,
        sha256: certificate.sha256,
        valid_from: certificate.validFrom,
        valid_to: certificate.validTo,
      },
      sealed_at: report.sealedAt,
      timestamped_by: report.timestampedBy,
      changed_entry: report.changedEntry,
      sealed_here: report.sealedHere === true,
    };
  };
}
