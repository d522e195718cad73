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
  const hash = await signDocument({ view, api, parts, texts, tag, assets });
  await showEnd(parts.main, hash);
}

/** After signing: what is left to wait for, and the download as soon as the last signature is sealed. */
async function showEnd(main: HTMLElement, hash: string): Promise<void> {
  for (let asked = 0; asked < askTimes; asked += 1) {
    const view = await api.view();
    const screen = endScreen(view, { texts, tag, downloadUrl: api.downloadUrl, hash });
    if (screen !== null && (asked === 0 || view.status === "completed")) showScreen(main, screen);
    if (view.status !== "in_progress") return;
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
  }
}

start().catch((error: unknown) => {
  const parts = layOutPage(texts.documentLabel, null, texts);
  showScreen(parts.main, problemScreen(error instanceof Refusal ? error.code : "offline", texts));
});
