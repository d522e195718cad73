/** What a document says of itself as a whole: the first file's word, where there can be only one. */
import { PDFBool, PDFDict, PDFName, type PDFObject } from "pdf-lib";
import { copyDocumentInfo } from "../copy-pages/document-info.ts";
import { newArray, newDict } from "../copy-pages/new-object.ts";
import type { ObjectCopier } from "../copy-pages/object-copier.ts";
import { arrayAt, dictAt } from "../copy-pages/read-object.ts";
import { serialise } from "../copy-pages/serialise.ts";
import type { SourcePdf } from "../copy-pages/source-pdf.ts";

export type DocumentSettings = {
  /** @param rewrite makes a destination of the file one of the target */
  take(source: SourcePdf, copier: ObjectCopier, rewrite: RewriteDestination): void;
  catalogEntries(): Record<string, PDFObject>;
  markInfo(): PDFDict;
  info(): PDFDict;
};

type RewriteDestination = (value: PDFObject | undefined) => PDFObject | undefined;

const firstFileKeys = ["PageLayout", "PageMode", "AA", "URI", "Lang"];
/** Preferences that are about the first file's own pages. */
const pageBoundPreferences = new Set(["PrintPageRange", "NumCopies"]);

export function createDocumentSettings(): DocumentSettings {
  const entries: Record<string, PDFObject> = {};
  let info: PDFDict | undefined;
  const associatedFiles: PDFObject[] = [];
  let outputIntents: string | undefined;
  let files = 0;

  /** How colours are meant is kept where all files agree: one file's word would change another's colours. */
  function takeOutputIntents(source: SourcePdf, copier: ObjectCopier) {
    const intents = arrayAt(source.catalog, "OutputIntents")?.asArray() ?? [];
    const copied = newArray(intents.map((intent) => copier.copy(source.context.lookup(intent) ?? intent)));
    const text = serialise(copied);
    if (files === 0 && intents.length > 0) entries.OutputIntents = copied;
    else if (text !== outputIntents) delete entries.OutputIntents;
    outputIntents = text;
  }

  return {
    take(source, copier, rewrite) {
      const { catalog } = source;
      if (files === 0) {
        for (const key of firstFileKeys) {
          const value = catalog.lookup(PDFName.of(key));
          if (value) entries[key] = copier.copy(value);
        }
        const opening = catalog.lookup(PDFName.of("OpenAction"));
        const opened = opening instanceof PDFDict ? copier.copy(opening) : rewrite(opening);
        if (opened) entries.OpenAction = opened;
        const preferences = dictAt(catalog, "ViewerPreferences");
        if (preferences) entries.ViewerPreferences = copier.copyDict(preferences, pageBoundPreferences);
        info = copyDocumentInfo(source, copier);
      }
      for (const file of arrayAt(catalog, "AF")?.asArray() ?? []) associatedFiles.push(copier.copy(file));
      takeOutputIntents(source, copier);
      files += 1;
    },
    catalogEntries() {
      return associatedFiles.length > 0 ? { ...entries, AF: newArray(associatedFiles) } : entries;
    },
    markInfo: () => newDict({ Marked: PDFBool.True }),
    info: () => info ?? newDict(),
  };
}
