/** The pages of a document in reading order, from a tree that may loop, lack types or count wrongly. */
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFPageLeaf,
  PDFPageTree,
  PDFRef,
} from "pdf-lib";
import { Failure } from "../contracts/failures.ts";

// Above the largest books and plan sets; below what would keep a slot busy for its whole time bound.
const maxPages = 20_000;
const maxDepth = 100;

/** A page by its reference in the file and its dictionary. */
export type PageOfTree = { ref: PDFRef; leaf: PDFPageLeaf };

/**
 * Walks the page tree and makes it one that pdf-lib's own recursion survives: what is neither page nor tree is taken
 * out, and so is a tree reached twice; a page reached twice becomes two; types, parents and counts are put right.
 * @throws Failure `too_complex` over the bounds on pages and depth.
 */
export function settlePageTree(document: PDFDocument): PageOfTree[] {
  const root = settleRoot(document);
  if (root === undefined) return [];
  const pages: PageOfTree[] = [];
  settleNode({ document, pages, seen: new Set([root]) }, root, 0);
  return pages;
}

/** The tree's root; a single page that stands in its place gets a tree around it. */
function settleRoot(document: PDFDocument): PDFRef | undefined {
  const { catalog, context } = document;
  const root = catalog.get(PDFName.of("Pages"));
  const kind = kindOf(catalog.lookup(PDFName.of("Pages")));
  if (!(root instanceof PDFRef) || kind === undefined) return undefined;
  if (kind === "tree") return root;
  const tree = PDFPageTree.withContext(context);
  tree.Kids().push(root);
  const treeRef = context.register(tree);
  catalog.set(PDFName.of("Pages"), treeRef);
  return treeRef;
}

type Walk = { document: PDFDocument; pages: PageOfTree[]; seen: Set<PDFRef> };

function settleNode(walk: Walk, ref: PDFRef, depth: number): void {
  if (depth > maxDepth)
    throw new Failure("too_complex", `The page tree is nested more than ${maxDepth} deep.`);
  const { context } = walk.document;
  const tree = asTree(walk.document, ref);
  const kids = tree.lookup(PDFName.of("Kids"));
  const before = walk.pages.length;
  for (let index = 0; kids instanceof PDFArray && index < kids.size(); index += 1) {
    const kid = kids.get(index);
    const kidRef = settleKid(walk, kid);
    if (kidRef === undefined) {
      kids.remove(index);
      index -= 1;
      continue;
    }
    if (kidRef !== kid) kids.set(index, kidRef);
    const node = context.lookup(kidRef, PDFDict);
    if (node.get(PDFName.of("Parent")) !== ref) node.set(PDFName.of("Parent"), ref);
    if (kindOf(node) === "tree") settleNode(walk, kidRef, depth + 1);
    else walk.pages.push({ ref: kidRef, leaf: asLeaf(walk.document, kidRef) });
    if (walk.pages.length > maxPages)
      throw new Failure("too_complex", `This PDF has more than ${maxPages} pages.`);
  }
  settleCount(tree, walk.pages.length - before);
}

/** The reference under which a kid is walked for the first time; undefined when it has no place in the tree. */
function settleKid(walk: Walk, kid: PDFObject): PDFRef | undefined {
  const { context } = walk.document;
  const node = kid instanceof PDFRef ? context.lookup(kid) : kid;
  if (!(node instanceof PDFDict)) return undefined;
  const kind = kindOf(node);
  const again = kid instanceof PDFRef && walk.seen.has(kid);
  if (kind === undefined || (kind === "tree" && again)) return undefined;
  const ref = again
    ? context.register(PDFPageLeaf.fromMapWithContext(new Map(node.entries()), context))
    : kid instanceof PDFRef
      ? kid
      : context.register(node);
  walk.seen.add(ref);
  return ref;
}

const pageKeys = ["Contents", "MediaBox", "Resources", "Parent"];

function kindOf(node: unknown): "tree" | "page" | undefined {
  if (!(node instanceof PDFDict)) return undefined;
  if (node.has(PDFName.of("Kids"))) return "tree";
  if (node.get(PDFName.of("Type")) === PDFName.of("Page")) return "page";
  return pageKeys.some((key) => node.has(PDFName.of(key))) ? "page" : undefined;
}

function settleCount(tree: PDFDict, pages: number): void {
  const count = tree.lookup(PDFName.of("Count"));
  if (!(count instanceof PDFNumber) || count.asNumber() !== pages) {
    tree.set(PDFName.of("Count"), PDFNumber.of(pages));
  }
}

function asTree(document: PDFDocument, ref: PDFRef): PDFDict {
  const node = document.context.lookup(ref, PDFDict);
  if (node instanceof PDFPageTree) return node;
  node.set(PDFName.of("Type"), PDFName.of("Pages"));
  const tree = PDFPageTree.fromMapWithContext(new Map(node.entries()), document.context);
  document.context.assign(ref, tree);
  return tree;
}

function asLeaf(document: PDFDocument, ref: PDFRef): PDFPageLeaf {
  const node = document.context.lookup(ref, PDFDict);
  if (node instanceof PDFPageLeaf) return node;
  node.set(PDFName.of("Type"), PDFName.of("Page"));
  const leaf = PDFPageLeaf.fromMapWithContext(new Map(node.entries()), document.context);
  document.context.assign(ref, leaf);
  return leaf;
}
