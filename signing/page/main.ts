import type { CompletedData, SigningView } from "../../platform/contracts/http-api/sign.ts";
import { endScreen, problemScreen, showScreen } from "./end-screens.ts";
import { layOutPage } from "./page-parts.ts";
import { signDocument } from "./sign-document.ts";
import { Refusal, signingApi } from "./signing-api.ts";
import { chooseTexts } from "./strings/choose-texts.ts";

/** The signer's page: `/sign/{token}` shows the request behind the link, whatever state it is in. */
const { tag, texts } = chooseTexts(navigator.languages);
document.documentElement.lang = tag;
const linkPath = location.pathname.replace(/\/$/, "");
const assets = new URL(".", import.meta.url).pathname.replace(/\/$/, "");
const api = signingApi(linkPath);

/** How often the page asks whether the document is sealed, and for how long. */
const askEveryMs = 1000;
const askTimes = 20;

async function start(): Promise<void> {
  const view = await api.view();
  const parts = layOutPage(view.title, view.message, texts);
  const ended = endScreen(view, { texts, tag, downloadUrl: api.downloadUrl });
  if (ended !== null) return showScreen(parts.main, ended);
  const completed = await signDocument({ view, api, parts, texts, tag, assets });
  if (completed === null) return location.reload();
  await showEnd(parts.main, view, completed);
}

/**
 * After signing: what is left to wait for, and the download as soon as the last signature is sealed. The signature
 * stands whether or not the service can be asked again.
 */
async function showEnd(main: HTMLElement, before: SigningView, completed: CompletedData): Promise<void> {
  const { signed_at, signature_hash: hash, request_status: status } = completed;
  let view: SigningView = { ...before, status, signer: { ...before.signer, status: "signed", signed_at } };
  for (let asked = 0; asked < askTimes; asked += 1) {
    const screen = endScreen(view, { texts, tag, downloadUrl: api.downloadUrl, hash });
    if (screen !== null && (asked === 0 || view.status !== "in_progress")) showScreen(main, screen);
    if (view.status !== "in_progress") return;
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
    view = await api.view().catch(() => view);
  }
}

start().catch((error: unknown) => {
  const parts = layOutPage(texts.documentLabel, null, texts);
  showScreen(parts.main, problemScreen(error instanceof Refusal ? error.code : "offline", texts));
});
