/** What no reader shows: thumbnails, private data of other programs, resources that no content uses, pages cut loose. */
import { type PDFContext, PDFDict, PDFName, type PDFObject, PDFPageLeaf, PDFRawStream } from "pdf-lib";
import type { OpenedPdf } from "../../../platform/pdf/open-pdf.ts";
import type { ContentUses } from "./content-uses.ts";
import { reachableObjects } from "./reachable-objects.ts";

const invisibleKeys = ["Thumb", "PieceInfo"];
const pageContentKeys = ["Contents", "Resources", "Annots", "Thumb", "B"];

/** Takes it out of the document, in place. Returns the resource dictionaries that name less than before. */
export function dropUnused({ document, pages }: OpenedPdf, uses: ContentUses): PDFDict[] {
  const { context } = document;
  const inTree = new Set<PDFObject>(pages.map(({ leaf }) => leaf));
  for (const object of reachableObjects(context).values()) {
    const dict = object instanceof PDFRawStream ? object.dict : object;
    if (!(dict instanceof PDFDict)) continue;
    // Embedded programs may keep an image's true resolution under PieceInfo; no reader looks there.
    for (const key of invisibleKeys) dict.delete(PDFName.of(key));
    // A link or tag may hold on to a page that was taken out of the tree: of it, nothing can be seen.
    if (dict instanceof PDFPageLeaf && !inTree.has(dict)) {
      for (const key of pageContentKeys) dict.delete(PDFName.of(key));
    }
  }
  return uses.complete ? dropUnusedNames(context, uses) : [];
}

/**
 * Resources named in a dictionary that some content used, but never by any. Only images, forms and fonts are worth it;
 * a dictionary that no content was seen to use may serve one that was not read, and stays whole.
 */
function dropUnusedNames(context: PDFContext, uses: ContentUses): PDFDict[] {
  const changed: PDFDict[] = [];
  const shared = groupsOfUnreadHolders(context, uses);
  for (const [group, categories] of uses.names) {
    for (const category of ["XObject", "Font"]) {
      const used = categories.get(category);
      if (used === undefined || shared.has(group)) continue;
      const unused = group.keys().filter((key) => !used.has(key.decodeText()));
      for (const key of unused) group.delete(key);
      if (unused.length > 0) changed.push(group);
    }
  }
  return changed;
}

/** Fonts named in such groups: whoever uses them was not seen. */
export function fontsOfUnreadHolders(context: PDFContext, uses: ContentUses): Set<PDFObject> {
  const fonts = new Set<PDFObject>();
  for (const group of groupsOfUnreadHolders(context, uses)) {
    if (!(group instanceof PDFDict)) continue;
    for (const key of group.keys()) {
      const font = group.lookup(key);
      if (font) fonts.add(font);
    }
  }
  return fonts;
}

/** Resource groups that belong to something whose contents were not read, such as a form's default appearance. */
function groupsOfUnreadHolders(context: PDFContext, uses: ContentUses): Set<PDFObject> {
  const shared = new Set<PDFObject>();
  for (const object of reachableObjects(context).values()) {
    const dict = object instanceof PDFRawStream ? object.dict : object;
    if (!(dict instanceof PDFDict) || uses.holders.has(dict)) continue;
    for (const key of ["Resources", "DR"]) {
      const resources = dict.lookup(PDFName.of(key));
      const isPagesNode = dict.has(PDFName.of("Kids"));
      if (!(resources instanceof PDFDict) || isPagesNode) continue;
      for (const groupKey of resources.keys()) {
        const group = resources.lookup(groupKey);
        if (group) shared.add(group);
      }
    }
  }
  return shared;
}
