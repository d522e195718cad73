import { button, element } from "./element.ts";
import type { Progress } from "./filled-fields.ts";
import { fill } from "./strings/choose-texts.ts";
import type { Texts } from "./strings/english.ts";

/** What stands on the page around the document. */
export type PageParts = {
  main: HTMLElement;
  intro: HTMLElement;
  document: HTMLElement;
  next: HTMLButtonElement;
  finish: HTMLButtonElement;
  progress: HTMLElement;
  problem: HTMLElement;
  bar: HTMLProgressElement;
  zoomIn: HTMLButtonElement;
  zoomOut: HTMLButtonElement;
};

const zoomSteps = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];

/** Lays out the page: header with title and zoom, the document, and a footer that says what is left to do. */
export function layOutPage(title: string, message: string | null, texts: Texts): PageParts {
  document.title = title;
  const parts: PageParts = {
    main: element("main", { id: "main" }),
    intro: element("p", { class: "intro" }),
    document: element("div", {
      id: "document",
      class: "document",
      role: "group",
      "aria-label": texts.documentLabel,
      tabindex: -1,
    }),
    next: button(texts.start, "secondary", () => undefined),
    finish: button(texts.finish, "primary", () => undefined),
    progress: element("p", { class: "progress", role: "status" }),
    problem: element("p", { class: "problem", role: "alert" }),
    bar: element("progress", { "aria-hidden": "true" }),
    zoomIn: button("+", "plain", () => undefined),
    zoomOut: button("−", "plain", () => undefined),
  };
  parts.zoomIn.setAttribute("aria-label", texts.zoomIn);
  parts.zoomOut.setAttribute("aria-label", texts.zoomOut);
  const note =
    message === null || message === "" ? [] : [element("blockquote", { class: "message" }, message)];
  parts.main.append(element("div", { class: "top" }, parts.intro, ...note), parts.document);
  const header = element(
    "header",
    {},
    element("h1", {}, title),
    element("div", { class: "zoom" }, parts.zoomOut, parts.zoomIn),
  );
  const footer = element(
    "footer",
    {},
    parts.problem,
    element("div", { class: "state" }, parts.bar, parts.progress),
    element("div", { class: "buttons" }, parts.next, parts.finish),
  );
  const skip = element("a", { class: "skip", href: "#document" }, texts.skipToDocument);
  document.body.replaceChildren(skip, header, parts.main, footer);
  return parts;
}

export function showProgress(parts: PageParts, texts: Texts, { done, total, complete }: Progress): void {
  parts.progress.textContent = fill(texts.remaining, { done, total });
  parts.bar.max = Math.max(total, 1);
  parts.bar.value = total === 0 ? 1 : done;
  parts.finish.disabled = !complete;
  document.body.classList.toggle("complete", complete);
}

export function wireZoom({ zoomIn, zoomOut }: PageParts, zoom: (factor: number) => void): void {
  let step = zoomSteps.indexOf(1);
  const change = (by: number) => {
    step = Math.min(Math.max(step + by, 0), zoomSteps.length - 1);
    zoom(zoomSteps[step] ?? 1);
  };
  zoomIn.addEventListener("click", () => change(1));
  zoomOut.addEventListener("click", () => change(-1));
}
