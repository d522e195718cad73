import { button, element } from "./element.ts";
import type { Texts } from "./strings/english.ts";

/**
 * Asks for the consent and sends. Stays open with the reason when sending failed, so that nothing filled in is lost.
 * @returns whether it was sent
 */
export function askToFinish(texts: Texts, send: () => Promise<void>, reasonOf: (error: unknown) => string) {
  const consent = element("input", { type: "checkbox", id: "consent" });
  const problem = element("p", { class: "problem", role: "alert" });
  const dialog = element("dialog", { class: "finish-dialog", "aria-labelledby": "finish-title" });
  const sign = button(texts.signNow, "primary", () => void trySending());
  const cancel = button(texts.cancel, "plain", () => dialog.close());

  async function trySending(): Promise<void> {
    if (!consent.checked) {
      problem.textContent = texts.consentMissing;
      consent.focus();
      return;
    }
    problem.textContent = "";
    sign.disabled = true;
    sign.textContent = texts.signing;
    await send().then(
      () => dialog.close("sent"),
      (error) => {
        problem.textContent = reasonOf(error);
        sign.disabled = false;
        sign.textContent = texts.signNow;
      },
    );
  }

  dialog.append(
    element("h2", { id: "finish-title" }, texts.finishTitle),
    element("label", { class: "consent", for: "consent" }, consent, element("span", {}, texts.consent)),
    problem,
    element("div", { class: "buttons" }, cancel, sign),
  );
  return new Promise<boolean>((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "sent");
    });
    document.body.append(dialog);
    dialog.showModal();
    consent.focus();
  });
}
