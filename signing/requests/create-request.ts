import type { z } from "zod";
import type { BlobStore } from "../../platform/blob-store.ts";
import { Failure, type Fault, failures } from "../../platform/contracts/failures.ts";
import type { CreatedRequest } from "../../platform/contracts/http-api/signature-requests.ts";
import type * as asked from "../../platform/contracts/signature-request.ts";
import type { Trail } from "../../platform/contracts/trail.ts";
import { newId } from "../../platform/new-id.ts";
import { retryDeadlock } from "../retry-deadlock.ts";
import { fieldsOutsidePage } from "../seal/place-field.ts";
import type { PlacedValue } from "../seal/placed-value.ts";
import type { InspectedPdf } from "../seal/seal-order.ts";
import type { SealPool } from "../seal/seal-pool.ts";
import type { SignLink } from "../sign-link.ts";
import type { WithLocalFile } from "../with-local-file.ts";
import { byKey } from "./actor.ts";
import { type ChangeDeps, requireOwn, tell } from "./change-request.ts";
import { automaticInk } from "./fill-fields.ts";
import { newRequest } from "./new-request.ts";
import { readRequest } from "./request-rows.ts";
import { createdView } from "./request-view.ts";
import { writeNew } from "./write-change.ts";

type Deps = ChangeDeps & {
  blobs: BlobStore;
  pool: SealPool;
  link: SignLink;
  withLocalFile: WithLocalFile;
};
type Question = z.output<typeof asked.createRequest.question>;
type Body = Question["body"];

const duplicateKey = 1062;

/**
 * Makes a signature request of an uploaded PDF. Asked twice with the same id, it makes one.
 * @throws Failure `validation_failed` with every fault of fields and names; what `inspectUpload` says of the PDF
 */
export function createCreateRequest(deps: Deps) {
  const { db, now, link } = deps;
  return async function createRequest(question: Question, trail: Trail): Promise<CreatedRequest> {
    const { id, accountId, document, body } = question;
    const { pages } = await inspect(deps, question);
    const signerIds = body.signers.map(() => newId("signer"));
    const at = now();
    const change = newRequest({ id, accountId, document, pages, body, signerIds }, byKey(question), at);
    try {
      const messages = await retryDeadlock(() =>
        db.transaction((trx) => writeNew(trx, change, { now: at, trail })),
      );
      tell(deps, change, messages);
      return createdView(change.after, at, link.urlOf);
    } catch (error) {
      if ((error as { errno?: number }).errno !== duplicateKey) throw error;
      return createdView(requireOwn(await readRequest(db, id), accountId), now(), link.urlOf);
    }
  };
}

/** Nothing is kept of an upload that is refused, unless it is that of a request made before under the same id. */
async function inspect({ db, blobs, pool, withLocalFile, now }: Deps, { id, document, body }: Question) {
  try {
    const upload = await withLocalFile(document, (path) => pool.inspectUpload(path));
    await requireDrawable(pool, body, upload, now());
    return upload;
  } catch (error) {
    const refused = error instanceof Failure && !failures[error.code].retryable;
    if (refused && (await readRequest(db, id)) === null) {
      await blobs.removeOwner({ kind: "requests", id });
    }
    throw error;
  }
}

async function requireDrawable(pool: SealPool, body: Body, upload: InspectedPdf, now: Date): Promise<void> {
  const boxes = body.signers.flatMap((signer, at) =>
    (signer.fields ?? []).map((box, place) => ({ path: `signers[${at}].fields[${place}]`, box })),
  );
  const faults: Fault[] = fieldsOutsidePage(boxes, upload.pages);
  const values = foreseeable(body, now);
  const checked = values.length === 0 ? Promise.resolve() : pool.checkValues(values);
  await checked.catch((error) => {
    if (!(error instanceof Failure) || error.code !== "validation_failed") throw error;
    faults.push(...(error.details ?? []));
  });
  if (faults.length === 0) return;
  throw new Failure("validation_failed", "Some fields or names cannot be used; see details.", {
    details: faults,
  });
}

/** Large enough for any name: whether the fonts have its characters is what is asked. */
const roomyBox = { page: 1, x: 0, y: 0, width: 10_000, height: 100 };

/** Names that every font has the characters of: nearly all calls are spared a turn in the pool. */
const plainAscii = /^[\x20-\x7e]+$/;

/** What will be drawn whatever the signers do: asked now, since then it would be too late. */
function foreseeable({ signers }: Body, now: Date): PlacedValue[] {
  return signers.flatMap((signer, at) => {
    const name: PlacedValue = {
      fieldId: `name_${at}`,
      type: "name",
      box: roomyBox,
      ink: { kind: "text", text: signer.name },
      path: `signers[${at}].name`,
    };
    const filled = (signer.fields ?? []).flatMap(({ type, page, x, y, width, height }, place) => {
      const ink = automaticInk(type, signer, now);
      const box = { page, x, y, width, height };
      const path = `signers[${at}].fields[${place}]`;
      return ink === null ? [] : [{ fieldId: `${at}_${place}`, type, box, ink, path }];
    });
    return plainAscii.test(signer.name) ? filled : [name, ...filled];
  });
}
