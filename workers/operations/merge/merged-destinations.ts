/** The named destinations of all files in one table; a name that an earlier file has is renamed, its links with it. */
import { type PDFObject, PDFRef } from "pdf-lib";
import {
  bytesOfDestinationName,
  type Destination,
  type DestinationName,
  destinationName,
  readNamedDestinations,
  resolveDestination,
} from "../copy-pages/destination.ts";
import { stringOfBytes } from "../copy-pages/read-object.ts";
import type { SourcePdf } from "../copy-pages/source-pdf.ts";
import { uniqueName } from "../copy-pages/unique-name.ts";

export type MergedDestinations = {
  /** All names so far with where they lead, as the target has them. */
  entries: ReadonlyMap<string, PDFObject>;
  /** Opens a file's names; no name of an earlier one can be reached from it. */
  forSource(source: SourcePdf): SourceDestinations;
};

/** Makes an explicit destination of the source one of the target. */
export type Place = (destination: Destination) => PDFObject;

export type SourceDestinations = {
  /** A `Dest` or `D` entry as the target has it; undefined when it leads nowhere. */
  rewrite(value: PDFObject | undefined, place: Place): PDFObject | undefined;
  /** Adds the file's names to the table. */
  keep(place: Place): void;
};

export function createMergedDestinations(): MergedDestinations {
  const entries = new Map<string, PDFObject>();
  const taken = new Set<string>();

  function forSource(source: SourcePdf): SourceDestinations {
    const named = readNamedDestinations(source);
    const renamed = new Map<DestinationName, string>();
    // Names without destination are renamed too: in the merged file they would meet another file's.
    const nameOf = (name: DestinationName) => {
      const known = renamed.get(name);
      if (known !== undefined) return known;
      const fresh = uniqueName((candidate) => taken.has(candidate), bytesOfDestinationName(name));
      taken.add(fresh);
      renamed.set(name, fresh);
      return fresh;
    };
    for (const name of named.keys()) nameOf(name);

    return {
      rewrite(value, place) {
        const name = destinationName(value instanceof PDFRef ? source.context.lookup(value) : value);
        if (name) return stringOfBytes(nameOf(name));
        const destination = resolveDestination(source, named, value);
        return destination && place(destination);
      },
      keep(place) {
        for (const [name, value] of named) {
          const destination = resolveDestination(source, named, value);
          if (destination) entries.set(nameOf(name), place(destination));
        }
      },
    };
  }

  return { entries, forSource };
}
