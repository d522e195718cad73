import { button, element } from "./element.ts";
import { Refusal } from "./signing-api.ts";
import type { Texts } from "./strings/english.ts";

/** How asking ended; `refused`: for a reason that sending again does not mend. */
export type Finish<Sent> =
  | { how: "sent"; sent: Sent }
  | { how: "refused"; refusal: Refusal }
  | { how: "cancelled" };

/** Asks for the consent and sends. Stays open while trying again may help, so that nothing filled in is lost. */
export function askToFinish<Sent>(texts: Texts, send: () => Promise<Sent>): Promise<Finish<Sent>> {
  const consent = element("input", { type: "checkbox", id: "consent" });
  const problem = element("p", { class: "problem", role: "alert" });
  const dialog = element("dialog", { class: "finish-dialog", "aria-labelledby": "finish-title" });
  const sign = button(texts.signNow, "primary", () => void trySending());
  const cancel = button(texts.cancel, "plain", () => dialog.close());
  let ended: Finish<Sent> = { how: "cancelled" };

  function end(how: Finish<Sent>): void {
    ended = how;
    dialog.close();
  }

  function setBusy(busy: boolean): void {
    sign.disabled = busy;
    cancel.disabled = busy;
    sign.textContent = busy ? texts.signing : texts.signNow;
  }

  async function trySending(): Promise<void> {
    problem.textContent = consent.checked ? "" : texts.consentMissing;
    if (!consent.checked) return consent.focus();
    setBusy(true);
    await send().then(
      (sent) => end({ how: "sent", sent }),
      (error: unknown) => {
        setBusy(false);
        if (error instanceof Refusal && isFinal(error)) return end({ how: "refused", refusal: error });
        const offline = error instanceof Refusal && error.code === "offline";
        problem.textContent = offline ? texts.offline : texts.notSent;
      },
    );
  }

  dialog.append(
    element("h2", { id: "finish-title" }, texts.finishTitle),
    element("label", { class: "consent", for: "consent" }, consent, element("span", {}, texts.consent)),
    problem,
    element("div", { class: "buttons" }, cancel, sign),
  );
  // What is on its way cannot be called back: Escape would only hide how it ends.
  dialog.addEventListener("cancel", (event) => sign.disabled && event.preventDefault());
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(ended);
    });
    document.body.append(dialog);
    dialog.showModal();
    consent.focus();
  });
}

function isFinal({ code }: Refusal): boolean {
  return code === "validation_failed" || code === "invalid_state" || code === "not_found";
}
