/**
 * What of the input may come into a part. A page that comes twice gets fields and annotations of its own each time, and
 * shares fonts and images with itself: so the places are dealt into rounds in which no page comes twice.
 */
import { type PDFDict, PDFName, PDFNull, type PDFObject, type PDFRef } from "pdf-lib";
import { newArray } from "../copy-pages/new-object.ts";
import { createObjectCopier, type ObjectCopier } from "../copy-pages/object-copier.ts";
import type { PdfWriter } from "../copy-pages/pdf-writer.ts";
import { plainText, textAt, textString } from "../copy-pages/read-object.ts";
import { uniqueName } from "../copy-pages/unique-name.ts";
import { amendPartLinks } from "./part-links.ts";
import { createPartStructure, type PartStructure } from "./part-structure.ts";
import type { SplitSource } from "./split-source.ts";

/** A page of the input, by its index, and its place in the part. */
export type PagePlace = { page: number; ref: PDFRef };

export type Round = { copier: ObjectCopier; fields: ReadonlySet<PDFRef> };

type StandIn = PDFRef | typeof PDFNull | undefined;

export function createPartCopiers(source: SplitSource, places: readonly PagePlace[], writer: PdfWriter) {
  const roundPlaces: Map<number, PDFRef>[] = [];
  const times = new Map<number, number>();
  const roundOf = places.map(({ page, ref }) => {
    const round = times.get(page) ?? 0;
    times.set(page, round + 1);
    roundPlaces[round] ??= new Map();
    roundPlaces[round].set(page, ref);
    return round;
  });
  // A page that comes again has its tags once: two elements cannot share one content.
  const structure = createPartStructure(source, roundPlaces[0] ?? new Map());
  const rounds: Round[] = [];
  const takenNames = new Set(source.fields.topNames);
  for (const own of roundPlaces) {
    const first = { places: roundPlaces[0] ?? own, copier: rounds[0]?.copier };
    rounds.push(createRound({ source, own, first, structure, takenNames, writer }));
  }
  const pageRefs: ReadonlyMap<number, PDFRef> = roundPlaces[0] ?? new Map();
  return {
    rounds,
    pageRefs,
    structure,
    copierOf: (place: number) => (rounds[roundOf[place] ?? 0] as Round).copier,
  };
}

type RoundOptions = {
  source: SplitSource;
  /** Where this round's pages are. */
  own: ReadonlyMap<number, PDFRef>;
  /** The first round has every page of the part; what is no page's own is copied with it. */
  first: { places: ReadonlyMap<number, PDFRef>; copier: ObjectCopier | undefined };
  structure: PartStructure | undefined;
  takenNames: Set<string>;
  writer: PdfWriter;
};

function createRound({ source, own, first, structure, takenNames, writer }: RoundOptions): Round {
  const base = first.copier;
  const fields = new Set([...own.keys()].flatMap((page) => source.fields.ofPage(page)));

  function standIn(ref: PDFRef): StandIn {
    const page = source.pageIndex.get(ref);
    if (page !== undefined) return own.get(page) ?? first.places.get(page) ?? PDFNull;
    const listed = source.annotationPages.get(ref);
    if (listed) return listed.some((index) => own.has(index)) ? undefined : PDFNull;
    if (source.fields.all.has(ref)) return fields.has(ref) ? undefined : PDFNull;
    if (source.threads.has(ref)) return PDFNull;
    return base ? (base.copy(ref) as StandIn) : undefined;
  }

  function amend(copy: PDFDict, original: PDFDict) {
    if (base && source.fields.topDicts.has(original)) renameField(copy, takenNames);
    for (const key of structureKeys) copy.delete(key);
    if (!base) structure?.amend(copy, original);
    if (copy.has(kidsKey)) dropNulls(copy);
    amendPartLinks(copy, original, source, first.places);
  }

  return { copier: createObjectCopier({ source, writer, standIn, amend }), fields };
}

// The keys by which tags find things are the input's; pages and annotations get new ones.
const structureKeys = ["StructParent", "StructParents"].map((key) => PDFName.of(key));
const kidsKey = PDFName.of("Kids");

/** The widgets of a field that are on other pages are gone: nothing may stand where they were. */
function dropNulls(copy: PDFDict) {
  const kids = copy.get(kidsKey) as { asArray?: () => PDFObject[] };
  if (kids.asArray) copy.set(kidsKey, newArray(kids.asArray().filter((kid) => kid !== PDFNull)));
}

/** Two fields of one name are one field, and its second page would mirror the first. */
function renameField(copy: PDFDict, taken: Set<string>) {
  const name = textAt(copy, "T");
  if (!name) return;
  const fresh = uniqueName((candidate) => taken.has(candidate), plainText(name));
  taken.add(fresh);
  copy.set(PDFName.of("T"), textString(fresh));
}
