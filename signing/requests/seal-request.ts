import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { BlobStore } from "../../platform/blob-store.ts";
import { sha256Of } from "../../platform/contracts/blob.ts";
import type { Trail } from "../../platform/contracts/trail.ts";
import type { Logger } from "../../platform/log.ts";
import { repeat } from "../../platform/repeat.ts";
import type { SealPool } from "../seal/seal-pool.ts";
import type { WithLocalFile } from "../with-local-file.ts";
import { readTrail } from "./audit-rows.ts";
import { startChange } from "./change.ts";
import { type ChangeDeps, changeRequest } from "./change-request.ts";
import { claimSeal, postponeSeal, requestsToSeal } from "./due-requests.ts";
import { complete, type Sealed } from "./endings.ts";
import { readFields } from "./field-rows.ts";
import { fieldId } from "./fill-fields.ts";
import { isSealing, type SignatureRequest } from "./request.ts";
import { readRequest } from "./request-rows.ts";

/** A process that seals says so this long ahead, and again while it works: a dead one is replaced after this. */
export const sealLeaseMs = 5_000;
const renewEveryMs = 1_500;
const batchSize = 20;

/** Seals a request that the caller has in hand. Never throws: a failure plans the next try. */
export type SealRequest = (id: string, trail: Trail) => Promise<void>;

type Deps = ChangeDeps & { blobs: BlobStore; pool: SealPool; withLocalFile: WithLocalFile; log: Logger };

export function createSealRequest(deps: Deps): SealRequest {
  const { db, now, log } = deps;
  const lease = (ms: number) => new Date(now().getTime() + ms);

  async function attempt(request: SignatureRequest, trail: Trail): Promise<void> {
    const sealed = await makeSealed(deps, request);
    // Another process may have been faster: one seal stands, and the other is only a file.
    await changeRequest(deps, { id: request.id, trail }, (found, at) =>
      isSealing(found) ? complete(found, sealed, at) : startChange(found),
    );
    log.info({ ...trail, signatureRequestId: request.id, padesLevel: sealed.padesLevel }, "request sealed");
  }

  return async function sealRequest(id, trail) {
    const renewing = repeat(
      () => postponeSeal(db, id, lease(sealLeaseMs), 0),
      renewEveryMs,
      (err) => log.warn({ err, signatureRequestId: id }, "hold on a seal could not be renewed"),
    );
    let failed = 0;
    try {
      const request = await readRequest(db, id);
      if (request === null || !isSealing(request)) return;
      failed = request.sealAttempts + 1;
      await attempt(request, trail);
      failed = 0;
    } catch (err) {
      log.error({ ...trail, err, signatureRequestId: id, attempt: failed }, "request could not be sealed");
    } finally {
      await renewing.stop();
    }
    if (failed > 0) await postponeSeal(db, id, lease(retryDelayMs(failed)), 1).catch(() => undefined);
  };
}

/** 2 s, 4 s, 8 s … and at last every five minutes: what stands in the way may be an authority that is down. */
export function retryDelayMs(failures: number): number {
  return Math.min(1000 * 2 ** failures, 300_000);
}

/** From the uploaded bytes and the stored values, always: a second try has the same content. */
async function makeSealed(
  { db, blobs, pool, withLocalFile }: Deps,
  request: SignatureRequest,
): Promise<Sealed> {
  const [fields, audit] = await Promise.all([readFields(db, request.id), readTrail(db, request.id)]);
  return withLocalFile(request.document, async (sourcePath, makeFolder) => {
    const outputPath = join(await makeFolder(), "sealed.pdf");
    const { padesLevel, timestampFault } = await pool.seal({
      requestId: request.id,
      title: request.title,
      sourcePath,
      documentSha256: sha256Of(request.document),
      outputPath,
      values: fields.flatMap((field) =>
        field.ink === null
          ? []
          : [{ fieldId: fieldId(field), type: field.type, box: field.box, ink: field.ink }],
      ),
      audit,
      sealedAt: (request.lastSignedAt ?? request.createdAt).toISOString(),
      appendAuditPage: request.appendAuditPage,
    });
    const blob = await blobs.put({ kind: "requests", id: request.id }, createReadStream(outputPath));
    return { blob, padesLevel, timestampFault };
  });
}

/** Takes up the seals that nobody is making: after a failure, or after a process has died. */
export function createSealDue({ db, now, sealRequest }: ChangeDeps & { sealRequest: SealRequest }) {
  return async function sealDue(): Promise<void> {
    const ids = await requestsToSeal(db, now(), batchSize);
    await Promise.all(
      ids.map(async (id) => {
        const until = new Date(now().getTime() + sealLeaseMs);
        if (await claimSeal(db, id, now(), until)) await sealRequest(id, {});
      }),
    );
  };
}
