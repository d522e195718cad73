import type { InkInput } from "../../platform/contracts/http-api/sign.ts";
import type { PageView } from "./document-view.ts";
import { element } from "./element.ts";
import { place } from "./field-elements.ts";
import type { Placement } from "./filled-fields.ts";
import { inkPreview } from "./ink-preview.ts";
import { fill } from "./strings/choose-texts.ts";
import type { Texts } from "./strings/english.ts";

/** In points: about the size of a signature on paper. */
const usualWidth = 180;
const usualHeight = 54;
const marginPoints = 56;
const gapPoints = 12;
const stepPoints = 6;
const growth = 1.1;

type Options = {
  pages: readonly PageView[];
  texts: Texts;
  ink: InkInput;
  start: Placement | null;
  /** Which signer this is: each is offered a place of their own, since nobody sees yet what the others sign. */
  order: number;
  moved: (placement: Placement) => void;
};

export type FreePlacement = { showInk: (ink: InkInput) => void; focus: () => void };

/** Lets the signer put the signature anywhere: a click on a page moves it there, dragging and arrow keys fine-tune. */
export function placeFreely({ pages, texts, ink, start, order, moved }: Options): FreePlacement | null {
  const last = pages.at(-1);
  if (last === undefined) return null;
  let at = start ?? usualPlace(last, order);
  const mark = element(
    "button",
    { type: "button", class: "field field-signature placed done" },
    inkPreview(ink, ""),
  );

  function move(next: Placement): void {
    const view = pages.find(({ page }) => page === next.page);
    if (view === undefined) return;
    at = within(next, view);
    if (mark.parentElement !== view.overlay) view.overlay.append(mark);
    place(mark, at, view);
    // A name that speech control finds begins with what is seen (WCAG 2.5.3).
    mark.setAttribute(
      "aria-label",
      `${mark.textContent} ${fill(texts.placedSignature, { page: at.page })}`.trim(),
    );
    moved(at);
  }

  for (const view of pages) {
    view.frame.addEventListener("click", (event) => {
      if (event.target instanceof Node && mark.contains(event.target)) return;
      const { x, y } = pointIn(view, event);
      move({ ...at, page: view.page, x: x - at.width / 2, y: y - at.height / 2 });
    });
  }
  mark.addEventListener("keydown", (event) => {
    const next = afterKey(at, event.key, pages.length);
    if (next === null) return;
    event.preventDefault();
    move(next);
    mark.focus();
  });
  drag(mark, (event, grip) => {
    const view = pages.find(({ frame }) => contains(frame, event));
    if (view === undefined) return;
    const { x, y } = pointIn(view, event);
    move({ ...at, page: view.page, x: x - grip.x * at.width, y: y - grip.y * at.height });
  });

  move(at);
  return {
    showInk: (next) => mark.replaceChildren(inkPreview(next, "")),
    focus: () => {
      mark.scrollIntoView({ block: "center" });
      mark.focus();
    },
  };
}

/** At the end of the document, one above the other, in as many columns as it takes. */
function usualPlace({ page, width, height }: PageView, order: number): Placement {
  const markWidth = Math.min(usualWidth, width / 2);
  const markHeight = Math.min(usualHeight, height / 4);
  const step = markHeight + gapPoints;
  const inColumn = Math.max(1, Math.floor((height - 2 * marginPoints) / step));
  const row = (order - 1) % inColumn;
  const column = Math.floor((order - 1) / inColumn);
  return {
    page,
    x: width - marginPoints - markWidth - column * (markWidth + gapPoints),
    y: height - marginPoints - markHeight - row * step,
    width: markWidth,
    height: markHeight,
  };
}

function within(at: Placement, page: { width: number; height: number }): Placement {
  const width = Math.min(Math.max(at.width, 24), page.width);
  const height = Math.min(Math.max(at.height, 12), page.height);
  return {
    page: at.page,
    width,
    height,
    x: Math.min(Math.max(at.x, 0), page.width - width),
    y: Math.min(Math.max(at.y, 0), page.height - height),
  };
}

function afterKey(at: Placement, key: string, pages: number): Placement | null {
  switch (key) {
    case "ArrowLeft":
      return { ...at, x: at.x - stepPoints };
    case "ArrowRight":
      return { ...at, x: at.x + stepPoints };
    case "ArrowUp":
      return { ...at, y: at.y - stepPoints };
    case "ArrowDown":
      return { ...at, y: at.y + stepPoints };
    case "+":
      return { ...at, width: at.width * growth, height: at.height * growth };
    case "-":
      return { ...at, width: at.width / growth, height: at.height / growth };
    case "PageUp":
      return { ...at, page: Math.max(1, at.page - 1) };
    case "PageDown":
      return { ...at, page: Math.min(pages, at.page + 1) };
    default:
      return null;
  }
}

type Point = { x: number; y: number };

function pointIn(view: PageView, { clientX, clientY }: MouseEvent): Point {
  const frame = view.frame.getBoundingClientRect();
  const scale = view.width / frame.width;
  return { x: (clientX - frame.left) * scale, y: (clientY - frame.top) * scale };
}

function contains(frame: HTMLElement, { clientX, clientY }: MouseEvent): boolean {
  const { left, right, top, bottom } = frame.getBoundingClientRect();
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}

/** `grip`: where on the mark it was taken, in parts of its size. */
function drag(mark: HTMLElement, to: (event: PointerEvent, grip: Point) => void): void {
  mark.addEventListener("pointerdown", (down) => {
    const rect = mark.getBoundingClientRect();
    const grip = { x: (down.clientX - rect.left) / rect.width, y: (down.clientY - rect.top) / rect.height };
    const follow = (event: PointerEvent) => to(event, grip);
    const end = new AbortController();
    addEventListener("pointermove", follow, { signal: end.signal });
    for (const over of ["pointerup", "pointercancel"])
      addEventListener(over, () => end.abort(), { signal: end.signal });
  });
}
