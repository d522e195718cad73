/** Tags of a test document: a structure tree with one paragraph a page, and its content marked to belong to it. */
import { type PDFDocument, PDFName, PDFOperator, PDFOperatorNames, PDFString } from "pdf-lib";

/** Makes the document a tagged one. */
export function addTags(document: PDFDocument): void {
  const { context, catalog } = document;
  const rootRef = context.nextRef();
  const paragraphs = document.getPages().map((page, index) => {
    page.node.set(PDFName.of("StructParents"), context.obj(index));
    page.pushOperators(
      PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, [PDFName.of("P"), "<</MCID 0>>"]),
      PDFOperator.of(PDFOperatorNames.EndMarkedContent),
    );
    return context.register(context.obj({ Type: "StructElem", S: "P", P: rootRef, Pg: page.ref, K: 0 }));
  });
  const parents = context.obj({
    Nums: paragraphs.flatMap((ref, index) => [context.obj(index), context.obj([ref])]),
  });
  context.assign(
    rootRef,
    context.obj({ Type: "StructTreeRoot", K: paragraphs, ParentTree: context.register(parents) }),
  );
  catalog.set(PDFName.of("StructTreeRoot"), rootRef);
  catalog.set(PDFName.of("MarkInfo"), context.obj({ Marked: true }));
  catalog.set(PDFName.of("Lang"), PDFString.of("en"));
}
