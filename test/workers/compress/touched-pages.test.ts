import { PDFDocument, PDFName, type PDFObject } from "pdf-lib";
import t from "tap";
import { createTouchedPages } from "../../../workers/operations/compress/touched-pages.ts";

t.test("pages to compare after a change", async (t) => {
  const document = await PDFDocument.create();
  const { context } = document;
  const [font, image, mask] = [0, 0, 0].map(() => context.register(context.stream("data")));
  const name = (key: string) => PDFName.of(key);
  const pages = Array.from({ length: 4 }, () => document.addPage());
  const setResources = (page: number, resources: object) =>
    pages[page]?.node.set(name("Resources"), context.obj(resources as never));
  setResources(0, { XObject: { P: image as never } });
  setResources(1, { Font: { F: font as never } });
  const widget = context.obj({ Rect: [0, 0, 1, 1], AP: { N: mask as never }, P: pages[0]?.ref as never });
  pages[2]?.node.set(name("Annots"), context.obj([context.register(widget)]));
  pages[3]?.node.set(name("Annots"), context.obj([{ Rect: [0, 0, 1, 1], Dest: [pages[0]?.ref as never] }]));
  const touched = createTouchedPages({
    document,
    pages: pages.map(({ node, ref }) => ({ leaf: node, ref })),
  });
  const object = (ref: unknown) => context.lookup(ref as never) as PDFObject;

  t.test("are those that show it, by whatever name", async (t) => t.same(touched([object(image)]), [0]));
  t.test("are several, in order, for several changes", async (t) =>
    t.same(touched([object(font), object(image)]), [0, 1]),
  );
  t.test("are those whose annotations draw it", async (t) => t.same(touched([object(mask)]), [2]));
  t.test("are not those that only lead there", async (t) => t.notOk(touched([object(image)]).includes(3)));
  t.test("are none where nothing was changed", async (t) => t.same(touched([]), []));
});
