/**
 * Takes out of a page's resources what its content never uses. Many writers give all pages one dictionary of all
 * images and fonts: copied as it is, each part would hold every page's pictures.
 */
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRawStream } from "pdf-lib";
import { decodeStream } from "../../../platform/pdf/decode-stream.ts";
import { visitOperators, withoutEscapes } from "../copy-pages/content-operators.ts";
import { newDict } from "../copy-pages/new-object.ts";
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

/** What content names that its own resources do not have: readers then look in those of whoever draws it. */
type Unresolved = readonly ResourceName[] | "unreadable";
type ResourceName = { category: string; name: string };

export type PruneResources = (page: SourcePage) => void;

/**
 * Prunes pages of an opened document in place, each once. What a page's forms, patterns, glyph procedures and
 * annotations bring of their own is pruned too. Content that cannot be read keeps its resources: a page that still
 * shows in a forgiving reader must not lose its pictures.
 */
export function createPruneResources(): PruneResources {
  const done = new Map<PDFObject, Unresolved>();

  return function pruneResources(page) {
    if (done.has(page.leaf)) return;
    done.set(page.leaf, []);
    for (const stream of appearancesOf(page)) pruneOwner(stream, stream.dict, 0);
    const resources = page.leaf.context.lookup(inheritedEntry(page.leaf, "Resources")?.value);
    const content = pageContent(page);
    if (!(resources instanceof PDFDict) || !content) return;
    page.leaf.set(PDFName.Resources, prune(resources, [content], 0).used);
  };

  /** The entries of a dictionary that the contents use, pruning what they use in turn; and the names it lacks. */
  function prune(resources: PDFDict, contents: readonly Uint8Array[], depth: number) {
    const named = new Set(alwaysUsed);
    const unresolved: ResourceName[] = [];
    let unreadable = false;
    const take = (category: string, name: string) => {
      const key = `${category} ${name}`;
      if (named.has(key)) return;
      named.add(key);
      const resource = entryOf(resources, category, name);
      if (!resource) unresolved.push({ category, name });
      const within = resource && depth < maxDepth ? unresolvedWithin(resource, depth) : [];
      if (within === "unreadable") unreadable = true;
      else for (const inner of within) take(inner.category, inner.name);
    };
    for (const content of contents) {
      visitOperators(content, (operator, operands) => {
        const category = categoryOf[operator];
        if (category) for (const name of operands) take(category, name);
      });
    }
    return { used: unreadable ? resources : onlyNamed(resources, named), unresolved };
  }

  /** Prunes a resource that has content of its own. */
  function unresolvedWithin(resource: PDFObject, depth: number): Unresolved {
    const dict = asDict(resource);
    if (!dict || nameAt(dict, "Subtype") === "Image") return [];
    if (resource instanceof PDFRawStream || nameAt(dict, "Subtype") === "Type3") {
      return pruneOwner(resource, dict, depth);
    }
    const group = dictAt(dict, "SMask")?.lookup(PDFName.of("G"));
    return group instanceof PDFRawStream ? pruneOwner(group, group.dict, depth) : [];
  }

  function pruneOwner(owner: PDFObject, dict: PDFDict, depth: number): Unresolved {
    const known = done.get(owner);
    if (known) return known;
    // Said before it is known: content that draws itself ends here.
    done.set(owner, []);
    const contents = contentsOf(owner);
    const resources = dictAt(dict, "Resources");
    if (!contents) {
      done.set(owner, "unreadable");
      return "unreadable";
    }
    const { used, unresolved } = prune(resources ?? newDict(), contents, depth + 1);
    if (resources) dict.set(PDFName.Resources, used);
    done.set(owner, unresolved);
    return unresolved;
  }
}

/** The content of a form or pattern, or that of each glyph of a font; undefined when some of it cannot be read. */
function contentsOf(owner: PDFObject): Uint8Array[] | undefined {
  const glyphs = owner instanceof PDFDict ? dictAt(owner, "CharProcs") : undefined;
  const streams = glyphs ? glyphs.keys().map((key) => glyphs.lookup(key)) : [owner];
  const contents: Uint8Array[] = [];
  for (const stream of streams) {
    const content = stream instanceof PDFRawStream ? decodeStream(stream, maxContentBytes) : undefined;
    if (!content) return undefined;
    contents.push(content);
  }
  return contents;
}

/** What a page's annotations look like: a form each, or one for each state. */
function appearancesOf({ leaf }: SourcePage): PDFRawStream[] {
  const annotations = leaf.lookup(PDFName.Annots);
  const elements = annotations instanceof PDFArray ? annotations.asArray() : [];
  return elements.flatMap((element) => {
    const annotation = leaf.context.lookup(element);
    const appearances = annotation instanceof PDFDict ? dictAt(annotation, "AP") : undefined;
    const looks = appearances ? valuesOf(appearances) : [];
    return looks.flatMap((look) => (look instanceof PDFDict ? valuesOf(look) : [look])).filter(isStream);
  });
}

function valuesOf(dict: PDFDict): (PDFObject | undefined)[] {
  return dict.keys().map((key) => dict.lookup(key));
}

function isStream(object: PDFObject | undefined): object is PDFRawStream {
  return object instanceof PDFRawStream;
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
