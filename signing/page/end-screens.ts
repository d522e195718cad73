import type { SigningView } from "../../platform/contracts/http-api/sign.ts";
import { button, element } from "./element.ts";
import { fill } from "./strings/choose-texts.ts";
import type { Texts } from "./strings/english.ts";

type Screen = { title: string; text: string; mark: "done" | "stop" | "wait"; extra?: readonly HTMLElement[] };

/** Replaces the page by one clear message. Focus goes to it, so that a screen reader says it. */
export function showScreen(main: HTMLElement, { title, text, mark, extra = [] }: Screen): void {
  const heading = element("h2", { tabindex: -1 }, title);
  main.replaceChildren(
    element(
      "section",
      { class: `screen screen-${mark}` },
      element("div", { class: "mark", "aria-hidden": "true" }),
      heading,
      element("p", {}, text),
      ...extra,
    ),
  );
  document.body.classList.add("ended");
  document.querySelector(".skip")?.remove();
  heading.focus();
}

type Ended = { texts: Texts; tag: string; downloadUrl: string; hash?: string };

/**
 * The screen of a request in which this signer has nothing to do now, or null when there is something to sign.
 */
export function endScreen(view: SigningView, { texts, tag, downloadUrl, hash }: Ended): Screen | null {
  const signed = view.signer.status === "signed";
  if (view.status === "completed") {
    const link = element("a", { class: "primary", href: downloadUrl, download: true }, texts.download);
    return {
      title: signed ? texts.completedTitle : texts.signedTitle,
      text: texts.completedText,
      mark: "done",
      extra: [link, ...proof(view, { texts, tag, ...(hash === undefined ? {} : { hash }) })],
    };
  }
  if (view.status === "cancelled")
    return { title: texts.cancelledTitle, text: texts.cancelledText, mark: "stop" };
  if (view.status === "expired") return { title: texts.expiredTitle, text: texts.expiredText, mark: "stop" };
  if (signed) {
    return {
      title: texts.signedTitle,
      text: texts.signedWaiting,
      mark: "done",
      extra: proof(view, { texts, tag, ...(hash === undefined ? {} : { hash }) }),
    };
  }
  if (!view.can_sign) return { title: texts.notYourTurnTitle, text: texts.notYourTurnText, mark: "wait" };
  return null;
}

function proof({ signer }: SigningView, { texts, tag, hash }: Omit<Ended, "downloadUrl">): HTMLElement[] {
  const lines: HTMLElement[] = [];
  if (signer.signed_at !== null) {
    lines.push(
      element("p", { class: "hint" }, fill(texts.signedAt, { date: longDate(signer.signed_at, tag) })),
    );
  }
  if (hash !== undefined) {
    lines.push(element("p", { class: "hint hash" }, `${texts.fingerprint}: `, element("code", {}, hash)));
  }
  lines.push(element("p", { class: "hint" }, texts.closeWindow));
  return lines;
}

/** With the time zone: two people in two places read the same instant. */
export function longDate(iso: string, tag: string): string {
  return new Date(iso).toLocaleString(tag, { dateStyle: "long", timeStyle: "long" });
}

/** What went wrong before anything was shown, by the code of the failure. */
export function problemScreen(code: string, texts: Texts): Screen {
  if (code === "not_found") return { title: texts.unknownTitle, text: texts.unknownText, mark: "stop" };
  const again = button(texts.tryAgain, "primary", () => location.reload());
  return { title: texts.problemTitle, text: texts.problemText, mark: "stop", extra: [again] };
}
