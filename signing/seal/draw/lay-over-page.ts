/** A page with a form drawn over what it shows already, as a changed dictionary for the new revision. */
import { PDFArray, type PDFContext, type PDFDict, PDFName, PDFRawStream, PDFRef } from "pdf-lib";
import { decodeStream } from "../../../platform/pdf/decode-stream.ts";
import { copyOfDict } from "../pdf-file/copy-dict.ts";
import type { FoundPage } from "../pdf-file/find-pages.ts";
import { type Changes, flateStream } from "../pdf-file/write-update.ts";
import { type SavedStates, savedStates } from "./saved-states.ts";

// Content that unpacks to more is taken for sound: counting would cost more than it saves.
const maxContentBytes = 32 * 2 ** 20;

type Overlay = { context: PDFContext; changes: Changes; form: PDFRef };

/**
 * Adds the form to a copy of the page's dictionary.
 * @param own the copy, which becomes part of the revision
 */
export function layOverPage(page: FoundPage, own: PDFDict, { context, changes, form }: Overlay): void {
  const add = (content: string) => {
    const ref = context.nextRef();
    changes.set(ref, flateStream(context, content));
    return ref;
  };
  const resources = copyOfDict(page.inherited("Resources"), context);
  const objects = copyOfDict(resources.lookup(PDFName.of("XObject")), context);
  const name = freeName(objects);
  objects.set(PDFName.of(name), form);
  resources.set(PDFName.of("XObject"), objects);
  own.set(PDFName.of("Resources"), resources);
  const before = contentRefs(page.dict, context);
  // Whatever state the page's content leaves behind, the form is drawn in the state that the page began with.
  const { deepest, left } = statesOf(before, context);
  const saves = 1 - deepest;
  const contents = context.obj([
    add("q\n".repeat(saves)),
    ...before,
    add(`\n${"Q\n".repeat(saves + left)}/${name} Do\n`),
  ]);
  own.set(PDFName.of("Contents"), contents);
}

function freeName(objects: PDFDict): string {
  let number = 1;
  while (objects.has(PDFName.of(`Seal${number}`))) number += 1;
  return `Seal${number}`;
}

/** §7.7.3.3: one stream, or an array of them. */
function contentRefs(page: PDFDict, context: PDFContext): PDFRef[] {
  const contents = page.get(PDFName.of("Contents"));
  const found = context.lookup(contents);
  if (found instanceof PDFArray) return found.asArray().filter((item) => item instanceof PDFRef);
  return contents instanceof PDFRef && found instanceof PDFRawStream ? [contents] : [];
}

function statesOf(contents: readonly PDFRef[], context: PDFContext): SavedStates {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (const ref of contents) {
    const stream = context.lookup(ref);
    const plain = stream instanceof PDFRawStream ? tryDecode(stream, maxContentBytes - bytes) : undefined;
    if (plain === undefined) return { deepest: 0, left: 0 };
    bytes += plain.length;
    pieces.push(plain, Buffer.from("\n"));
  }
  return savedStates(Buffer.concat(pieces));
}

function tryDecode(stream: PDFRawStream, maxBytes: number): Uint8Array | undefined {
  try {
    return decodeStream(stream, maxBytes);
  } catch {
    return undefined;
  }
}
