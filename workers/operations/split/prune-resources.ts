/**
 * Takes out of a page's resources what its content never uses. Many writers give all pages one dictionary of all
 * images and fonts: copied as it is, each part would hold every page's pictures.
 */
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRawStream } from "pdf-lib";
import { decodeStream } from "../../../platform/pdf/decode-stream.ts";
import { visitOperators, withoutEscapes } from "../copy-pages/content-operators.ts";
import { maxContentBytes, pageContent } from "../copy-pages/page-content.ts";
import { asDict, dictAt, nameAt } from "../copy-pages/read-object.ts";
import { inheritedEntry, type SourcePage } from "../copy-pages/source-pdf.ts";

/** Which kind of resource an operator names (ISO 32000-1 §7.8.3). */
const categoryOf: Record<string, string> = {
  Do: "XObject",
  Tf: "Font",
  gs: "ExtGState",
  cs: "ColorSpace",
  CS: "ColorSpace",
  BI: "ColorSpace",
  scn: "Pattern",
  SCN: "Pattern",
  sh: "Shading",
  BDC: "Properties",
  DP: "Properties",
};

const alwaysUsed = ["DefaultGray", "DefaultRGB", "DefaultCMYK"].map((name) => `ColorSpace ${name}`);
const maxDepth = 24;

/** Contents that use the resources of whoever draws them, or that there are such and they cannot be read. */
type Contents = Uint8Array[] | "unreadable";

export type PruneResources = (page: SourcePage) => void;

/**
 * Prunes pages of an opened document in place, each once. What a page's forms, patterns, glyph procedures and
 * annotations bring of their own is pruned too. Content that cannot be read keeps its resources: a page that still
 * shows in a forgiving reader must not lose its pictures.
 */
export function createPruneResources(): PruneResources {
  const done = new Set<PDFObject>();

  return function pruneResources(page) {
    if (done.has(page.leaf)) return;
    done.add(page.leaf);
    pruneAppearances(page);
    const resources = page.leaf.context.lookup(inheritedEntry(page.leaf, "Resources")?.value);
    if (!(resources instanceof PDFDict)) return;
    const content = pageContent(page);
    if (!content) return;
    page.leaf.set(PDFName.Resources, used(resources, [content], 0));
  };

  /** The entries of a dictionary that the contents use, pruning what they use in turn. */
  function used(resources: PDFDict, contents: Uint8Array[], depth: number): PDFDict {
    const names = new Set(alwaysUsed);
    const met = new Set<PDFObject>();
    const unread = [...contents];
    let unreadable = false;
    const take = (category: string, name: string) => {
      const key = `${category} ${name}`;
      if (names.has(key)) return;
      names.add(key);
      const resource = entryOf(resources, category, name);
      const within = resource && contentsWithin(resource, depth, met);
      if (within === "unreadable") unreadable = true;
      else if (within) unread.push(...within);
    };
    for (let next = unread.pop(); next; next = unread.pop()) {
      visitOperators(next, (operator, operands) => {
        const category = categoryOf[operator];
        if (category) for (const name of operands) take(category, name);
      });
    }
    return unreadable ? resources : onlyNamed(resources, names);
  }

  /** Prunes a resource that has content. @returns contents without resources of their own: they use the caller's. */
  function contentsWithin(resource: PDFObject, depth: number, met: Set<PDFObject>): Contents {
    const dict = asDict(resource);
    if (!dict || met.has(resource) || depth > maxDepth) return [];
    met.add(resource);
    if (resource instanceof PDFRawStream) return contentOfStream(resource, depth);
    const mask = dictAt(dict, "SMask");
    const group = mask?.lookup(PDFName.of("G"));
    if (group instanceof PDFRawStream) return contentOfStream(group, depth);
    const glyphs = nameAt(dict, "Subtype") === "Type3" ? dictAt(dict, "CharProcs") : undefined;
    return glyphs ? contentOfGlyphs(dict, glyphs, depth) : [];
  }

  function contentOfStream(stream: PDFRawStream, depth: number): Contents {
    if (nameAt(stream.dict, "Subtype") === "Image") return [];
    const resources = dictAt(stream.dict, "Resources");
    if (resources && done.has(stream)) return [];
    done.add(stream);
    const content = decodeStream(stream, maxContentBytes);
    if (!content) return resources ? [] : "unreadable";
    if (!resources) return [content];
    stream.dict.set(PDFName.Resources, used(resources, [content], depth + 1));
    return [];
  }

  function contentOfGlyphs(font: PDFDict, glyphs: PDFDict, depth: number): Contents {
    const resources = dictAt(font, "Resources");
    if (resources && done.has(font)) return [];
    done.add(font);
    const contents: Uint8Array[] = [];
    for (const [key] of glyphs.entries()) {
      const glyph = glyphs.lookup(key);
      const content = glyph instanceof PDFRawStream ? decodeStream(glyph, maxContentBytes) : undefined;
      if (content) contents.push(content);
    }
    if (!resources) return contents;
    font.set(PDFName.Resources, used(resources, contents, depth + 1));
    return [];
  }

  function pruneAppearances({ leaf }: SourcePage) {
    const annotations = leaf.lookup(PDFName.Annots);
    for (const value of annotations instanceof PDFArray ? annotations.asArray() : []) {
      const annotation = leaf.context.lookup(value);
      const appearances = annotation instanceof PDFDict ? dictAt(annotation, "AP") : undefined;
      for (const [key] of appearances?.entries() ?? []) pruneAppearance(appearances?.lookup(key));
    }
  }

  /** A form, or one form a state of the annotation. */
  function pruneAppearance(appearance: PDFObject | undefined) {
    if (appearance instanceof PDFRawStream) contentOfStream(appearance, 0);
    if (!(appearance instanceof PDFDict)) return;
    for (const [key] of appearance.entries()) {
      const state = appearance.lookup(key);
      if (state instanceof PDFRawStream) contentOfStream(state, 0);
    }
  }
}

function entryOf(resources: PDFDict, category: string, name: string): PDFObject | undefined {
  const entries = dictAt(resources, category);
  const direct = name.includes("#") ? undefined : entries?.lookup(PDFName.of(name));
  if (direct || !entries) return direct;
  const key = entries.keys().find((candidate) => withoutEscapes(candidate.asString().slice(1)) === name);
  return key && entries.lookup(key);
}

function onlyNamed(resources: PDFDict, names: ReadonlySet<string>): PDFDict {
  const kept = PDFDict.withContext(resources.context);
  for (const [category] of resources.entries()) {
    const entries = resources.lookup(category);
    if (!(entries instanceof PDFDict)) {
      // ProcSet, a list of names.
      if (entries instanceof PDFArray) kept.set(category, entries);
      continue;
    }
    const some = PDFDict.withContext(resources.context);
    const prefix = `${category.asString().slice(1)} `;
    for (const [key, value] of entries.entries()) {
      if (names.has(prefix + withoutEscapes(key.asString().slice(1)))) some.set(key, value);
    }
    if (some.keys().length > 0) kept.set(category, some);
  }
  return kept;
}
