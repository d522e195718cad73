/** Embedded fonts, without the glyphs that no content shows. */
import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRawStream } from "pdf-lib";
import { decodeStream } from "../../../platform/pdf/decode-stream.ts";
import { blankCff, blankTrueType } from "./blank-glyphs.ts";
import type { ContentUses } from "./content-uses.ts";
import { fontsOfUnreadHolders } from "./drop-unused.ts";
import { reachableObjects } from "./reachable-objects.ts";
import { replaceContents } from "./reencode-streams.ts";
import { glyphsOfCids, glyphsOfCodes, usedCids } from "./used-glyphs.ts";

/** The programs that were replaced, and how to put them back as they were. */
export type SubsetFonts = { programs: readonly PDFRawStream[]; undo: () => void };

const maxProgramBytes = 64 * 2 ** 20;
// Below this, a program has been cut down already, or is not worth the risk.
const minProgramBytes = 8192;

type FontUse = { font: PDFDict; descendant: PDFDict | undefined };

/** Replaces font programs in place; undefined when none was cut down. */
export function subsetFonts(context: PDFContext, uses: ContentUses): SubsetFonts | undefined {
  if (!uses.complete) return undefined;
  const typedIn = fontsOfUnreadHolders(context, uses);
  const undone = new Map<PDFRawStream, () => void>();
  for (const [program, fonts] of programUses(context)) {
    // A font that a form field may be typed in, or that is used where nothing was read, is needed whole.
    if (program.contents.length < minProgramBytes) continue;
    if (fonts.some(({ font }) => !uses.codes.has(font) || typedIn.has(font))) continue;
    const smaller = smallerProgram(program, fonts, uses);
    if (smaller) undone.set(program, replaceProgram(program, smaller));
  }
  if (undone.size === 0) return undefined;
  const undo = () => {
    for (const undoOne of undone.values()) undoOne();
  };
  return { programs: [...undone.keys()], undo };
}

/** Every font of the document by its program. */
function programUses(context: PDFContext): Map<PDFRawStream, FontUse[]> {
  const found = new Map<PDFRawStream, FontUse[]>();
  for (const font of reachableObjects(context).values()) {
    if (!(font instanceof PDFDict)) continue;
    const descendants = font.lookup(PDFName.of("DescendantFonts"));
    const first =
      descendants instanceof PDFArray && descendants.size() > 0 ? descendants.lookup(0) : undefined;
    const descendant = first instanceof PDFDict ? first : undefined;
    // A descendant is reached through its parent.
    if (/^\/CIDFontType/.test(font.lookup(PDFName.of("Subtype"))?.toString() ?? "")) continue;
    const program = programOf((descendant ?? font).lookup(PDFName.of("FontDescriptor")));
    if (program) found.set(program, [...(found.get(program) ?? []), { font, descendant }]);
  }
  return found;
}

function programOf(descriptor: PDFObject | undefined): PDFRawStream | undefined {
  if (!(descriptor instanceof PDFDict)) return undefined;
  const program = descriptor.lookup(PDFName.of("FontFile2")) ?? descriptor.lookup(PDFName.of("FontFile3"));
  return program instanceof PDFRawStream ? program : undefined;
}

function smallerProgram(
  program: PDFRawStream,
  fonts: readonly FontUse[],
  uses: ContentUses,
): Uint8Array | undefined {
  const plain = decodeStream(program, maxProgramBytes);
  if (plain === undefined) return undefined;
  const isCff = program.dict.lookup(PDFName.of("Subtype")) === PDFName.of("CIDFontType0C");
  const glyphs = new Set<number>();
  for (const { font, descendant } of fonts) {
    const codes = uses.codes.get(font) ?? new Set<number>();
    const used = isCff
      ? descendant && usedCids(font, codes)
      : glyphsOf(font, descendant, codes, Buffer.from(plain));
    if (used === undefined) return undefined;
    for (const glyph of used) glyphs.add(glyph);
  }
  return isCff ? blankCff(plain, glyphs) : blankTrueType(plain, glyphs);
}

function glyphsOf(
  font: PDFDict,
  descendant: PDFDict | undefined,
  codes: ReadonlySet<number>,
  program: Buffer,
) {
  if (descendant === undefined) return glyphsOfCodes(font, codes, program);
  const cids = usedCids(font, codes);
  return cids && glyphsOfCids(descendant, cids);
}

function replaceProgram(program: PDFRawStream, smaller: Uint8Array): () => void {
  const { dict, contents } = program;
  const entries = dict.entries();
  replaceContents(program, smaller, []);
  if (dict.has(PDFName.of("Length1"))) dict.set(PDFName.of("Length1"), dict.context.obj(smaller.length));
  return () => {
    for (const key of dict.keys()) dict.delete(key);
    for (const [key, value] of entries) dict.set(key, value);
    (program as { contents: Uint8Array }).contents = contents;
  };
}
