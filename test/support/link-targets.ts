/** Where the links of a document lead, followed as a reader follows them. */
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, type PDFObject, PDFString } from "pdf-lib";
import { readNameTree } from "../../workers/operations/copy-pages/name-tree.ts";

/** A page number from 1, a URI, or that it leads nowhere. */
export type LinkTarget = number | string | "nowhere";

/** Page by page, link by link. */
export async function linkTargets(bytes: Uint8Array): Promise<LinkTarget[][]> {
  const document = await PDFDocument.load(bytes);
  const names = document.catalog.lookupMaybe(PDFName.of("Names"), PDFDict);
  const named = new Map(readNameTree(names?.lookupMaybe(PDFName.of("Dests"), PDFDict)));
  const pages = document.getPages().map((page) => page.ref as PDFObject);
  const follow = (dest: PDFObject | undefined): LinkTarget => {
    const isName = dest instanceof PDFString || dest instanceof PDFHexString;
    const found = isName ? named.get(Buffer.from(dest.asBytes()).toString("latin1")) : dest;
    const array = found && document.context.lookup(found);
    const page = array instanceof PDFArray ? pages.indexOf(array.get(0)) : -1;
    return page < 0 ? "nowhere" : page + 1;
  };
  return document.getPages().map((page) => {
    const annotations = page.node.lookupMaybe(PDFName.Annots, PDFArray)?.asArray() ?? [];
    const dicts = annotations.map((value) => document.context.lookup(value, PDFDict));
    const links = dicts.filter((dict) => dict.get(PDFName.of("Subtype")) === PDFName.of("Link"));
    return links.map((link) => {
      const action = link.lookupMaybe(PDFName.of("A"), PDFDict);
      const uri = action?.lookup(PDFName.of("URI"));
      if (uri instanceof PDFString) return uri.decodeText();
      return follow(action ? action.lookup(PDFName.of("D")) : link.lookup(PDFName.of("Dest")));
    });
  });
}
