import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
  TextLayer,
} from "pdfjs-dist";
import type { SigningView } from "../../platform/contracts/http-api/sign.ts";
import { element } from "./element.ts";
import { pdfWorker } from "./pdf-worker.ts";
import { fill } from "./strings/choose-texts.ts";
import type { Texts } from "./strings/english.ts";

export type PageView = {
  page: number;
  width: number;
  height: number;
  frame: HTMLElement;
  overlay: HTMLElement;
};

export type DocumentView = {
  pages: readonly PageView[];
  /** 1 fits the width of the window. */
  zoom: (factor: number) => void;
  /** Resolves when the first page can be read; rejects when the document cannot be shown. */
  firstPage: Promise<void>;
};

type Options = {
  url: string;
  assets: string;
  pages: SigningView["pages"];
  container: HTMLElement;
  texts: Texts;
};

/** More pixels than this are no sharper to anyone and kill phones. */
const maxCanvasPixels = 12_000_000;
const widestPagePx = 900;
/** Pages are drawn this far before they come into view. */
const drawAhead = "800px 0px";

/**
 * All pages one below the other, each drawn when it comes near the view: canvas, selectable text, and an overlay for
 * fields. The sizes are known before the document is loaded, so nothing moves later.
 */
export function showDocument({ url, assets, pages, container, texts }: Options): DocumentView {
  const views = pages.map((page) => pageFrame(page, pages.length, texts));
  container.replaceChildren(...views.map(({ frame }) => frame));
  GlobalWorkerOptions.workerPort = pdfWorker(assets);
  const { promise: loading } = getDocument({
    url,
    cMapUrl: `${assets}/cmaps/`,
    standardFontDataUrl: `${assets}/standard_fonts/`,
    wasmUrl: `${assets}/wasm/`,
    iccUrl: `${assets}/iccs/`,
    enableXfa: false,
  });
  const { firstPage, redraw } = drawWhatIsNear(views, loading, texts);
  addEventListener("resize", redraw);
  return {
    pages: views,
    firstPage,
    zoom: (factor) => {
      container.style.setProperty("--zoom", String(factor));
      redraw();
    },
  };
}

/** Draws the pages near the view, one at a time, and takes back the pictures of those that are far. */
function drawWhatIsNear(views: readonly PageView[], loading: Promise<PDFDocumentProxy>, texts: Texts) {
  const drawn = new Map<PageView, string>();
  const near = new Set<PageView>();
  const first = Promise.withResolvers<void>();
  const sizeOf = ({ frame }: PageView) => `${frame.clientWidth}@${devicePixelRatio}`;
  const waiting = () => views.find((view) => near.has(view) && drawn.get(view) !== sizeOf(view));
  let drawing = false;

  async function draw(): Promise<void> {
    if (drawing) return;
    drawing = true;
    const source = await loading;
    for (let view = waiting(); view !== undefined; view = waiting()) {
      drawn.set(view, sizeOf(view));
      await drawPage(source, view).then(first.resolve, (error: unknown) => {
        first.reject(error);
        view?.frame.append(element("p", { class: "problem" }, texts.pageProblem));
      });
      if (!near.has(view)) forget(view);
    }
    drawing = false;
  }

  // A picture of a page takes megabytes, and a long document has hundreds; its text stays, to be searched.
  function forget(view: PageView): void {
    drawn.delete(view);
    for (const canvas of view.frame.querySelectorAll("canvas")) canvas.remove();
  }

  const redraw = () => void draw().catch(first.reject);
  watchNearness(views, near, { came: redraw, left: forget });
  return { firstPage: first.promise, redraw };
}

function pageFrame(
  { page, width, height }: SigningView["pages"][number],
  count: number,
  texts: Texts,
): PageView {
  const overlay = element("div", { class: "fields" });
  const frame = element(
    "section",
    { class: "page", "aria-label": fill(texts.pageLabel, { page, pages: count }), "data-page": page },
    overlay,
  );
  frame.style.setProperty("--page-points", String(width));
  frame.style.setProperty("--ratio", `${width} / ${height}`);
  frame.style.setProperty("--page-width", `${Math.min(width * 1.5, widestPagePx)}px`);
  return { page, width, height, frame, overlay };
}

type OnNearness = { came: () => void; left: (view: PageView) => void };

function watchNearness(views: readonly PageView[], near: Set<PageView>, on: OnNearness): void {
  const byFrame = new Map(views.map((view) => [view.frame as Element, view]));
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const view = byFrame.get(target);
        if (view === undefined) continue;
        if (isIntersecting) near.add(view);
        else if (near.delete(view)) on.left(view);
      }
      on.came();
    },
    { rootMargin: drawAhead },
  );
  for (const { frame } of views) watcher.observe(frame);
}

async function drawPage(source: PDFDocumentProxy, view: PageView): Promise<void> {
  const page = await source.getPage(view.page);
  const natural = page.getViewport({ scale: 1 });
  const scale = view.frame.clientWidth / natural.width;
  const fine = Math.min(
    devicePixelRatio,
    Math.sqrt(maxCanvasPixels / (natural.width * natural.height)) / scale,
  );
  const viewport = page.getViewport({ scale: scale * fine });
  const canvas = element("canvas", {
    width: Math.floor(viewport.width),
    height: Math.floor(viewport.height),
  });
  canvas.setAttribute("aria-hidden", "true");
  await page.render({ canvas, viewport }).promise;
  const text = await textLayer(page, scale);
  for (const old of view.frame.querySelectorAll("canvas, .text-layer, .problem")) old.remove();
  view.frame.prepend(canvas, text);
}

/** The page's text, invisible over its picture: for selecting, searching, and screen readers. */
async function textLayer(page: PDFPageProxy, scale: number): Promise<HTMLElement> {
  const container = element("div", { class: "text-layer" });
  container.style.setProperty("--total-scale-factor", String(scale));
  const layer = new TextLayer({
    textContentSource: page.streamTextContent({ includeMarkedContent: true }),
    container,
    viewport: page.getViewport({ scale }),
  });
  await layer.render();
  return container;
}
