/** Small PDFs with known contents, made in code: what a test says about a document is what the document holds. */
import { degrees, PDFDocument, PDFHexString, PDFName, type PDFPage, PDFString, StandardFonts } from "pdf-lib";
import { addLinks, type LinkPlan } from "./make-pdf-links.ts";
import { addOutline, type OutlinePlan } from "./make-pdf-outline.ts";
import { addTags } from "./make-pdf-tags.ts";

export type PagePlan = {
  /** Points; US A4 by default. */
  size?: [width: number, height: number];
  /** One line each, in Helvetica 14, from the top. */
  text?: string | readonly string[];
  /** Clockwise, a multiple of 90. */
  rotate?: number;
  cropBox?: [x: number, y: number, width: number, height: number];
  userUnit?: number;
  images?: readonly { data: Uint8Array; x: number; y: number; width: number; height: number }[];
  links?: readonly LinkPlan[];
};

export type FieldPlan = {
  kind: "text" | "checkbox" | "dropdown" | "signature";
  name: string;
  /** From 1. */
  page?: number;
  value?: string;
};

export type PdfPlan = {
  /** One page with the text "Page 1" by default. */
  pages?: readonly PagePlan[];
  title?: string;
  author?: string;
  fields?: readonly FieldPlan[];
  outline?: readonly OutlinePlan[];
  /** Name to page number (from 1). */
  namedDestinations?: Record<string, number>;
  /** A structure tree with one paragraph a page. */
  tagged?: boolean;
  attachments?: readonly { name: string; data: Uint8Array }[];
  /** The label prefix of the whole document, pages counted in arabic numbers. */
  pageLabelPrefix?: string;
  /** A signature value that looks real to whoever does not check it. */
  signedLooking?: boolean;
  /** Object streams and a cross-reference stream; true by default. */
  objectStreams?: boolean;
  /** Last touch on the document before it is written. */
  edit?: (document: PDFDocument) => void | Promise<void>;
};

/** The bytes of the planned document. */
export async function makePdf(plan: PdfPlan = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  if (plan.title) document.setTitle(plan.title);
  if (plan.author) document.setAuthor(plan.author);
  const pagePlans = plan.pages ?? [{ text: "Page 1" }];
  for (const pagePlan of pagePlans) await addPage(document, pagePlan);
  pagePlans.forEach(({ links }, index) => {
    if (links) addLinks(document, index, links);
  });
  for (const field of plan.fields ?? []) addField(document, field);
  if (plan.outline) addOutline(document, plan.outline);
  if (plan.namedDestinations) addNamedDestinations(document, plan.namedDestinations);
  if (plan.tagged) addTags(document);
  for (const { name, data } of plan.attachments ?? []) await document.attach(data, name);
  if (plan.pageLabelPrefix !== undefined) addPageLabels(document, plan.pageLabelPrefix);
  if (plan.signedLooking) addSignatureValue(document);
  await plan.edit?.(document);
  return document.save({ useObjectStreams: plan.objectStreams ?? true });
}

/** A document of so many pages, each with the text "Page n". */
export function makePages(count: number, plan: Omit<PdfPlan, "pages"> = {}): Promise<Uint8Array> {
  const pages = Array.from({ length: count }, (_, index) => ({ text: `Page ${index + 1}` }));
  return makePdf({ ...plan, pages });
}

async function addPage(document: PDFDocument, plan: PagePlan): Promise<void> {
  const page = document.addPage(plan.size ?? [595, 842]);
  const font = await document.embedFont(StandardFonts.Helvetica);
  const lines = typeof plan.text === "string" ? [plan.text] : (plan.text ?? []);
  lines.forEach((line, index) => {
    page.drawText(line, { x: 50, y: page.getHeight() - 60 - 20 * index, size: 14, font });
  });
  for (const { data, ...place } of plan.images ?? []) {
    const image = data[0] === 0xff ? await document.embedJpg(data) : await document.embedPng(data);
    page.drawImage(image, place);
  }
  if (plan.rotate) page.setRotation(degrees(plan.rotate));
  if (plan.cropBox) page.setCropBox(...plan.cropBox);
  if (plan.userUnit) page.node.set(PDFName.of("UserUnit"), document.context.obj(plan.userUnit));
}

function addField(document: PDFDocument, { kind, name, page: number = 1, value }: FieldPlan): void {
  const form = document.getForm();
  const page = document.getPage(number - 1);
  const place = { x: 50, y: 100 + 30 * form.getFields().length, width: 200, height: 20 };
  if (kind === "text") {
    const field = form.createTextField(name);
    if (value !== undefined) field.setText(value);
    field.addToPage(page, place);
  } else if (kind === "checkbox") {
    const field = form.createCheckBox(name);
    field.addToPage(page, { ...place, width: 20 });
    if (value !== undefined) field.check();
  } else if (kind === "dropdown") {
    const field = form.createDropdown(name);
    field.addOptions(["one", "two", ...(value === undefined ? [] : [value])]);
    if (value !== undefined) field.select(value);
    field.addToPage(page, place);
  } else addSignatureField(document, page, name);
}

function addSignatureField(document: PDFDocument, page: PDFPage, name: string): void {
  const { context } = document;
  const field = context.register(
    context.obj({
      Type: "Annot",
      Subtype: "Widget",
      FT: "Sig",
      T: PDFString.of(name),
      Rect: [0, 0, 0, 0],
      P: page.ref,
    }),
  );
  page.node.addAnnot(field);
  document.getForm().acroForm.addField(field);
}

function addSignatureValue(document: PDFDocument): void {
  const { context } = document;
  const value = context.obj({
    Type: "Sig",
    Filter: "Adobe.PPKLite",
    SubFilter: "adbe.pkcs7.detached",
    ByteRange: [0, 10, 20, 10],
    Contents: PDFHexString.of("3082abcd"),
  });
  addSignatureField(document, document.getPage(0), "Signature1");
  const field = document.getForm().acroForm.getAllFields().at(-1)?.[0];
  field?.dict.set(PDFName.of("V"), context.register(value));
}

function addNamedDestinations(document: PDFDocument, names: Record<string, number>): void {
  const { context, catalog } = document;
  const sorted = Object.entries(names).sort(([a], [b]) => (a < b ? -1 : 1));
  const entries = sorted.flatMap(([name, page]) => [
    PDFString.of(name),
    context.obj([document.getPage(page - 1).ref, "XYZ", null, null, null]),
  ]);
  catalog.set(PDFName.of("Names"), context.obj({ Dests: { Names: entries } }));
}

function addPageLabels(document: PDFDocument, prefix: string): void {
  const labels = document.context.obj({ Nums: [0, { S: "D", P: PDFString.of(prefix) }] });
  document.catalog.set(PDFName.of("PageLabels"), labels);
}
