/**
 * What of the input may come into a part. A page that comes twice gets fields and annotations of its own each time, and
 * shares fonts and images with itself: so the places are dealt into rounds in which no page comes twice.
 */
import { type PDFDict, PDFName, PDFNull, type PDFObject, type PDFRef } from "pdf-lib";
import { newArray } from "../copy-pages/new-object.ts";
import { createObjectCopier, type ObjectCopier } from "../copy-pages/object-copier.ts";
import type { PdfWriter } from "../copy-pages/pdf-writer.ts";
import { amendPartLinks } from "./part-links.ts";
import type { SplitSource } from "./split-source.ts";

/** A page of the input, by its index, and its place in the part. */
export type PagePlace = { page: number; ref: PDFRef };

export type Round = { copier: ObjectCopier; fields: ReadonlySet<PDFRef> };

type StandIn = PDFRef | typeof PDFNull | undefined;

export function createPartCopiers(source: SplitSource, places: readonly PagePlace[], writer: PdfWriter) {
  const roundPlaces: Map<number, PDFRef>[] = [];
  const roundOf = places.map(({ page, ref }) => {
    let round = roundPlaces.findIndex((taken) => !taken.has(page));
    if (round < 0) round = roundPlaces.push(new Map()) - 1;
    roundPlaces[round]?.set(page, ref);
    return round;
  });
  const rounds: Round[] = [];
  for (const own of roundPlaces)
    rounds.push(createRound(source, own, rounds[0]?.copier, roundPlaces[0] ?? own, writer));
  const pageRefs: ReadonlyMap<number, PDFRef> = roundPlaces[0] ?? new Map();
  return { rounds, pageRefs, copierOf: (place: number) => (rounds[roundOf[place] ?? 0] as Round).copier };
}

/** @param own where this round's pages are @param first where the first round's are, which has every page of the part */
function createRound(
  source: SplitSource,
  own: ReadonlyMap<number, PDFRef>,
  base: ObjectCopier | undefined,
  first: ReadonlyMap<number, PDFRef>,
  writer: PdfWriter,
): Round {
  const fields = new Set([...own.keys()].flatMap((page) => source.fields.ofPage(page)));

  function standIn(ref: PDFRef): StandIn {
    const page = source.pageIndex.get(ref);
    if (page !== undefined) return own.get(page) ?? first.get(page) ?? PDFNull;
    const listed = source.annotationPages.get(ref);
    if (listed) return listed.some((index) => own.has(index)) ? undefined : PDFNull;
    if (source.fields.all.has(ref)) return fields.has(ref) ? undefined : PDFNull;
    if (source.threads.has(ref)) return PDFNull;
    return base ? (base.copy(ref) as StandIn) : undefined;
  }

  function amend(copy: PDFDict, original: PDFDict) {
    for (const key of leftOutEverywhere) copy.delete(key);
    if (copy.has(kidsKey)) dropNulls(copy);
    amendPartLinks(copy, original, source, first);
  }

  return { copier: createObjectCopier({ source, writer, standIn, amend }), fields };
}

// Tags are left behind, and with them the keys by which they find things.
const leftOutEverywhere = ["StructParent", "StructParents"].map((key) => PDFName.of(key));
const kidsKey = PDFName.of("Kids");

/** The widgets of a field that are on other pages are gone: nothing may stand where they were. */
function dropNulls(copy: PDFDict) {
  const kids = copy.get(kidsKey) as { asArray?: () => PDFObject[] };
  if (kids.asArray) copy.set(kidsKey, newArray(kids.asArray().filter((kid) => kid !== PDFNull)));
}
