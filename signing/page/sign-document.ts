import type {
  CompletedData,
  InkInput,
  SigningField,
  SigningView,
} from "../../platform/contracts/http-api/sign.ts";
import { type DocumentView, showDocument } from "./document-view.ts";
import { longDate } from "./end-screens.ts";
import { type FieldElement, fieldElement, markRefused } from "./field-elements.ts";
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
import { refusedFields } from "./refused-fields.ts";
import { askForInk, type InkKind } from "./signature-dialog.ts";
import type { Refusal, SigningApi } from "./signing-api.ts";
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
 * The signer's work: read, fill in, sign. Resolves once it is sent, with null when there is nothing to sign any more:
 * signed in another window, cancelled, expired. Rejects when the document cannot be shown.
 */
export function signDocument({ view, api, parts, texts, tag, assets }: Deps): Promise<CompletedData | null> {
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
  const fields = layFields(shown, view, texts, {
    ink: (kind, field) => void changeInk(kind, field),
    value: (field, value) => {
      for (const one of fields) if (one.field === field) markRefused(one, false);
      change({ values: { ...filled.values, [field.id]: value } });
    },
  });
  wireZoom(parts, shown.zoom);
  reportOpening(shown, api);

  function change(part: Partial<Filled>): void {
    filled = { ...filled, ...part };
    for (const { update } of fields) update(filled);
    parts.problem.textContent = "";
    showProgress(parts, texts, progressOf(view.fields, filled));
    parts.next.textContent = nextLabel(view, filled, texts);
  }

  async function changeInk(kind: InkKind, field: SigningField | null): Promise<void> {
    const ink = await askForInk({ kind, texts, signerName: view.signer.name, given: filled[kind] });
    if (ink === null) return;
    for (const one of fields) if (one.field.type === kind) markRefused(one, false);
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

  /** Leads to the first field whose value was refused. */
  function showRefused({ details, message }: Refusal): void {
    const refused = refusedFields(view.fields, completeBodyOf(view.fields, filled), details);
    for (const one of fields) markRefused(one, refused.includes(one.field));
    const [at] = inReadingOrder(refused);
    parts.problem.textContent = at === undefined ? `${texts.notSent} (${message})` : texts.valueRefused;
    if (at !== undefined) focusField(fields, at.id);
  }

  return new Promise((resolve, reject) => {
    // Nobody signs what cannot be seen.
    shown.firstPage.catch(reject);
    parts.finish.addEventListener("click", async () => {
      const ended = await askToFinish(texts, () => api.complete(completeBodyOf(view.fields, filled)));
      if (ended.how === "sent") return resolve(ended.sent);
      if (ended.how === "cancelled") return;
      if (ended.refusal.code === "validation_failed") showRefused(ended.refusal);
      else resolve(null);
    });
  });
}

function nextLabel(view: SigningView, filled: Filled, texts: Texts): string {
  if (view.fields.length === 0)
    return filled.signature === null ? texts.placeSignature : texts.changeSignature;
  return progressOf(view.fields, filled).done === 0 ? texts.start : texts.next;
}

type Layer = Parameters<typeof fieldElement>[2]["on"];

function layFields(shown: DocumentView, view: SigningView, texts: Texts, on: Layer): FieldElement[] {
  return inReadingOrder(view.fields).flatMap((field) => {
    const page = shown.pages.find(({ page }) => page === field.page);
    if (page === undefined) return [];
    const laid = fieldElement(field, page, { signer: view.signer, texts, on });
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
  void Promise.all([shown.firstPage, visible])
    .then(api.open)
    .catch(() => undefined);
}
