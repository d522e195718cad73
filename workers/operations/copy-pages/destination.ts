/** Where a link leads (ISO 32000-1 §12.3.2): explicitly, `[page /XYZ left top zoom]`, or by a name. */
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFString,
} from "pdf-lib";
import { readNameTree } from "./name-tree.ts";
import { bytesOf, dictAt } from "./read-object.ts";
import type { SourcePdf } from "./source-pdf.ts";

/** An explicit destination on a page of the document, by the page's index. */
export type Destination = { page: number; array: PDFArray };

/** A name as a key: names of PDF 1.1 (`/Chapter`) and strings of later versions live in two tables. */
export type DestinationName = `name:${string}` | `string:${string}`;

export type NamedDestinations = ReadonlyMap<DestinationName, PDFObject>;

export function readNamedDestinations({ catalog }: SourcePdf): NamedDestinations {
  const named = new Map<DestinationName, PDFObject>();
  for (const [key, value] of dictAt(catalog, "Dests")?.entries() ?? []) {
    named.set(`name:${bytesOfName(key)}`, value);
  }
  const names = dictAt(catalog, "Names");
  for (const [key, value] of readNameTree(names && dictAt(names, "Dests"))) {
    if (!named.has(`string:${key}`)) named.set(`string:${key}`, value);
  }
  return named;
}

/** The name that a destination is given by; undefined if it is not given by name. */
export function destinationName(value: PDFObject | undefined): DestinationName | undefined {
  if (value instanceof PDFName) return `name:${bytesOfName(value)}`;
  if (value instanceof PDFString || value instanceof PDFHexString) return `string:${bytesOf(value)}`;
  return undefined;
}

/** The bytes of a name in either table. */
export function bytesOfDestinationName(name: DestinationName): string {
  return name.slice(name.indexOf(":") + 1);
}

/**
 * The place on a page that a `Dest` or `D` entry means; undefined when it leads nowhere in this document.
 * A page given by number, which belongs in links to other files only, is understood as readers do.
 */
export function resolveDestination(
  source: SourcePdf,
  named: NamedDestinations,
  value: PDFObject | undefined,
): Destination | undefined {
  let target = resolve(source, value);
  const name = destinationName(target);
  if (name) target = resolve(source, named.get(name));
  if (target instanceof PDFDict) target = target.lookup(PDFName.of("D"));
  if (!(target instanceof PDFArray) || target.size() === 0) return undefined;
  const page = pageOf(source, target.get(0));
  return page === undefined ? undefined : { page, array: target };
}

function pageOf(source: SourcePdf, page: PDFObject): number | undefined {
  if (page instanceof PDFRef) return source.pageIndex.get(page);
  if (!(page instanceof PDFNumber)) return undefined;
  const index = page.asNumber();
  return source.pages[index] ? index : undefined;
}

function resolve(source: SourcePdf, value: PDFObject | undefined): PDFObject | undefined {
  return value instanceof PDFRef ? source.context.lookup(value) : value;
}

function bytesOfName(name: PDFName): string {
  return Buffer.from(name.asBytes()).toString("latin1");
}
