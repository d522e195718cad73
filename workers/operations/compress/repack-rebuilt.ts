/** Ghostscript's file, packed better than it does itself: object streams, identical objects shared, Flate at its best. */
import { PDFRawStream } from "pdf-lib";
import { openPdf } from "../../../platform/pdf/open-pdf.ts";
import { reachableObjects } from "./reachable-objects.ts";
import { reencodeStreams } from "./reencode-streams.ts";
import { shareIdentical } from "./share-identical.ts";
import { writePdf } from "./write-pdf.ts";

/** The packed file; the given one where it does not open or nothing is gained. */
export async function repackRebuilt(bytes: Uint8Array): Promise<Uint8Array> {
  const opened = await openPdf(bytes).catch(() => undefined);
  if (opened === undefined) return bytes;
  const { context } = opened.document;
  await reencodeStreams(
    [...reachableObjects(context).values()].filter((object) => object instanceof PDFRawStream),
  );
  shareIdentical(context);
  const packed = await writePdf(context, { packObjects: true });
  return packed.length < bytes.length ? packed : bytes;
}
