/** `npm run verify -- signed.pdf`: checks a sealed PDF offline. Exit code 0: valid; 1: not; 2: could not be checked. */
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { asFailure, Failure } from "../platform/contracts/failures.ts";
import { type SealReport, verifySeal } from "./seal/verify-seal.ts";

const usage = `Usage: npm run verify -- [--certificate service.pem] [--json] signed.pdf

Checks the seal, the hashes and the audit trail of a sealed PDF, from the file alone.
  --certificate  also checks that this certificate made the seal
  --json         prints the whole report as JSON
`;

const marks = new Map<boolean | null, string>([
  [true, "ok     "],
  [false, "FAILED "],
  [null, "unknown"],
]);

const { values, positionals } = parseArgs({
  options: { certificate: { type: "string" }, json: { type: "boolean" } },
  allowPositionals: true,
});
const [path] = positionals;
if (path === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  process.exitCode = await verify(path);
}

async function verify(file: string): Promise<number> {
  try {
    const own = values.certificate && new X509Certificate(await readFile(values.certificate)).raw;
    const report = await verifySeal(file, own || undefined);
    process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : describe(file, report));
    return report.valid && report.sealedHere !== false ? 0 : 1;
  } catch (thrown) {
    const message =
      thrown instanceof Failure || !(thrown instanceof Error) ? asFailure(thrown).message : thrown.message;
    process.stderr.write(`${file}: ${message}\n`);
    return 2;
  }
}

function describe(file: string, report: SealReport): string {
  const { certificate } = report;
  const ours =
    report.sealedHere === null
      ? []
      : [{ passed: report.sealedHere, message: "The given certificate made the seal." }];
  return [
    `${file}: ${report.valid && report.sealedHere !== false ? "VALID" : "NOT VALID"}`,
    ...[...report.checks, ...ours].map(({ passed, message }) => `  ${marks.get(passed)}  ${message}`),
    "",
    `  request      ${report.requestId ?? "unknown"}  ${report.title ?? ""}`,
    `  sealed       ${report.sealedAt ?? "unknown"}${report.timestampedBy ? ` (timestamp of ${report.timestampedBy})` : ""}`,
    `  certificate  ${certificate ? `${certificate.subject}\n               SHA-256 ${certificate.sha256}` : "none"}`,
    `  this file    SHA-256 ${report.sha256}`,
    `  original     SHA-256 ${report.originalSha256 ?? "unknown"}`,
    report.sealedHere === null
      ? "\nWhether to trust the certificate is yours to say: compare its SHA-256, or give --certificate.\n"
      : "",
  ].join("\n");
}
