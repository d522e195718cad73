import type { InkInput, SigningField, SigningView } from "../../platform/contracts/http-api/sign.ts";
import { type DocumentView, showDocument } from "./document-view.ts";
import { longDate } from "./end-screens.ts";
import { type FieldElement, fieldElement } from "./field-elements.ts";
import {
  completeBodyOf,
  type Filled,
  inReadingOrder,
  nextToFill,
  nothingFilled,
  progressOf,
} from "./filled-fields.ts";
import { askToFinish } from "./finish-dialog.ts";
import { type FreePlacement, placeFreely } from "./free-placement.ts";
import { type PageParts, showProgress, wireZoom } from "./page-parts.ts";
import { askForInk, type InkKind } from "./signature-dialog.ts";
import type { SigningApi } from "./signing-api.ts";
import { fill } from "./strings/choose-texts.ts";
import type { Texts } from "./strings/english.ts";

type Deps = {
  view: SigningView;
  api: SigningApi;
  parts: PageParts;
  texts: Texts;
  tag: string;
  assets: string;
};

/**
 * The signer's work: read, fill in, sign. Resolves with the signature's hash once it is sent.
 */
export function signDocument({ view, api, parts, texts, tag, assets }: Deps): Promise<string> {
  let filled: Filled = nothingFilled;
  let current: string | null = null;
  let free: FreePlacement | null = null;

  parts.intro.textContent = `${fill(texts.greeting, { name: view.signer.name })} ${fill(texts.validUntil, { date: longDate(view.expires_at, tag) })}`;
  const shown = showDocument({
    url: api.documentUrl,
    assets,
    pages: view.pages,
    container: parts.document,
    texts,
  });
  const fields = layFields(shown, view, texts, tag, {
    ink: (kind, field) => void changeInk(kind, field),
    value: (field, value) => change({ values: { ...filled.values, [field.id]: value } }),
  });
  wireZoom(parts, shown.zoom);
  reportOpening(shown, api);

  function change(part: Partial<Filled>): void {
    filled = { ...filled, ...part };
    for (const { update } of fields) update(filled);
    showProgress(parts, texts, progressOf(view.fields, filled));
    parts.next.textContent = nextLabel(view, filled, texts);
  }

  async function changeInk(kind: InkKind, field: SigningField | null): Promise<void> {
    const ink = await askForInk({ kind, texts, signerName: view.signer.name, given: filled[kind] });
    if (ink === null) return;
    change({ [kind]: ink });
    if (field === null) placeInk(ink);
    else focusField(fields, field.id);
  }

  function placeInk(ink: InkInput): void {
    if (free === null) {
      free = placeFreely({
        pages: shown.pages,
        texts,
        ink,
        start: filled.placement,
        order: view.signer.order,
        moved: (placement) => change({ placement }),
      });
    } else free.showInk(ink);
    free?.focus();
    parts.intro.textContent = texts.placeHint;
  }

  parts.next.addEventListener("click", () => {
    if (view.fields.length === 0) return void changeInk("signature", null);
    const next = nextToFill(view.fields, filled, current);
    if (next === null) return;
    current = next.id;
    focusField(fields, next.id);
    // One step less: the guide leads to the signature and opens its dialog.
    if (next.type === "signature" || next.type === "initials") void changeInk(next.type, next);
  });
  change({});

  return new Promise((resolve) => {
    parts.finish.addEventListener("click", async () => {
      let hash = "";
      const send = async () => {
        hash = (await api.complete(completeBodyOf(view.fields, filled))).signature_hash;
      };
      const reasonOf = (error: unknown) =>
        fill(texts.notSaved, { reason: error instanceof Error ? error.message : String(error) });
      if (await askToFinish(texts, send, reasonOf)) resolve(hash);
    });
  });
}

function nextLabel(view: SigningView, filled: Filled, texts: Texts): string {
  if (view.fields.length === 0)
    return filled.signature === null ? texts.placeSignature : texts.changeSignature;
  return progressOf(view.fields, filled).done === 0 ? texts.start : texts.next;
}

type Layer = Parameters<typeof fieldElement>[2]["on"];

function layFields(
  shown: DocumentView,
  view: SigningView,
  texts: Texts,
  tag: string,
  on: Layer,
): FieldElement[] {
  return inReadingOrder(view.fields).flatMap((field) => {
    const page = shown.pages.find(({ page }) => page === field.page);
    if (page === undefined) return [];
    const laid = fieldElement(field, page, { signer: view.signer, texts, tag, on });
    page.overlay.append(laid.box);
    return [laid];
  });
}

function focusField(fields: readonly FieldElement[], id: string): void {
  const box = fields.find(({ field }) => field.id === id)?.box;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  box?.scrollIntoView({ block: "center", behavior: still ? "auto" : "smooth" });
  box?.querySelector<HTMLElement>("button, input, textarea")?.focus({ preventScroll: true });
}

/** A mail scanner that fetches the link opens nothing: only a page that a person can see reports it. */
function reportOpening(shown: DocumentView, api: SigningApi): void {
  const visible = new Promise<void>((resolve) => {
    const look = () => document.visibilityState === "visible" && resolve();
    document.addEventListener("visibilitychange", look);
    look();
  });
  // If the report is lost, completing records the opening first.
  void Promise.all([shown.firstPage, visible]).then(() => api.open().catch(() => undefined));
}
