import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
  TextLayer,
} from "pdfjs-dist";
import type { SigningView } from "../../platform/contracts/http-api/sign.ts";
import { element } from "./element.ts";
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
  /** Resolves when the first page can be read. */
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
  GlobalWorkerOptions.workerSrc = `${assets}/pdf.worker.js`;
  const views = pages.map((page) => pageFrame(page, pages.length, texts));
  container.replaceChildren(...views.map(({ frame }) => frame));
  const loading = getDocument({
    url,
    cMapUrl: `${assets}/cmaps/`,
    standardFontDataUrl: `${assets}/standard_fonts/`,
    wasmUrl: `${assets}/wasm/`,
    iccUrl: `${assets}/iccs/`,
    enableXfa: false,
  }).promise;

  const drawn = new Map<PageView, string>();
  const near = new Set<PageView>();
  let firstIsDrawn: () => void;
  let failed: (error: unknown) => void;
  const firstPage = new Promise<void>((resolve, reject) => {
    firstIsDrawn = resolve;
    failed = reject;
  });

  async function drawNear(): Promise<void> {
    const source = await loading;
    for (const view of near) {
      const size = `${view.frame.clientWidth}@${devicePixelRatio}`;
      if (drawn.get(view) === size) continue;
      drawn.set(view, size);
      await drawPage(source, view);
      firstIsDrawn();
    }
  }

  const redraw = () => void drawNear().catch((error) => failed(error));
  watchNearness(views, near, redraw);
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
  frame.style.setProperty("--ratio", `${width} / ${height}`);
  frame.style.setProperty("--page-width", `${Math.min(width * 1.5, widestPagePx)}px`);
  return { page, width, height, frame, overlay };
}

function watchNearness(views: readonly PageView[], near: Set<PageView>, changed: () => void): void {
  const byFrame = new Map(views.map((view) => [view.frame as Element, view]));
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const view = byFrame.get(target);
        if (view !== undefined && isIntersecting) near.add(view);
        else if (view !== undefined) near.delete(view);
      }
      changed();
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
  for (const old of view.frame.querySelectorAll("canvas, .text-layer")) old.remove();
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
