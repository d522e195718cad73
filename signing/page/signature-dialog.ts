import SignaturePad from "signature_pad";
import type { InkInput } from "../../platform/contracts/http-api/sign.ts";
import { scriptFonts } from "../seal/script-fonts.ts";
import { button, element } from "./element.ts";
import type { Texts } from "./strings/english.ts";

export type InkKind = "signature" | "initials";

type Options = { kind: InkKind; texts: Texts; signerName: string; given: InkInput | null };

/**
 * Asks for a signature or initials, drawn or typed. Typing comes first for whoever has no pointer: everything here
 * works with the keyboard alone.
 * @returns null when the signer changed their mind
 */
export function askForInk(options: Options): Promise<InkInput | null> {
  const { kind, texts } = options;
  const typing = typingPanel(options);
  const drawing = drawingPanel(texts);
  const problem = element("p", { class: "problem", role: "alert" });
  const title = element(
    "h2",
    { id: "ink-title" },
    kind === "signature" ? texts.createSignature : texts.createInitials,
  );
  let active: Panel = options.given?.type === "drawn" ? drawing : typing;

  const tabs = element("div", { class: "tabs", role: "tablist", "aria-labelledby": "ink-title" });
  const show = (panel: Panel) => {
    active = panel;
    problem.textContent = "";
    for (const one of [typing, drawing]) {
      one.body.hidden = one !== panel;
      one.tab.setAttribute("aria-selected", String(one === panel));
      one.tab.tabIndex = one === panel ? 0 : -1;
    }
    panel.shown();
  };
  for (const panel of [typing, drawing]) {
    panel.tab.addEventListener("click", () => show(panel));
    tabs.append(panel.tab);
  }
  tabs.addEventListener("keydown", ({ key }) => {
    if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    show(active === typing ? drawing : typing);
    active.tab.focus();
  });

  const dialog = element("dialog", { class: "ink-dialog", "aria-labelledby": "ink-title" });
  return new Promise((resolve) => {
    let chosen: InkInput | null = null;
    const use = button(texts.use, "primary", () => {
      chosen = active.ink();
      if (chosen === null) problem.textContent = texts.emptySignature;
      else dialog.close();
    });
    const cancel = button(texts.cancel, "plain", () => dialog.close());
    dialog.append(
      title,
      tabs,
      typing.body,
      drawing.body,
      problem,
      element("div", { class: "buttons" }, cancel, use),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
    show(active);
  });
}

type Panel = { tab: HTMLButtonElement; body: HTMLElement; ink: () => InkInput | null; shown: () => void };

function panelOf(name: string, label: string, ...contents: Node[]): Pick<Panel, "tab" | "body"> {
  const tab = element(
    "button",
    { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` },
    label,
  );
  const body = element(
    "div",
    { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}` },
    ...contents,
  );
  return { tab, body };
}

function typingPanel({ kind, texts, signerName, given }: Options): Panel {
  const proposal = kind === "signature" ? signerName : initialsOf(signerName);
  const input = element("input", {
    type: "text",
    id: "typed-ink",
    maxlength: kind === "signature" ? 100 : 12,
    autocomplete: kind === "signature" ? "name" : "off",
    value: given?.type === "typed" ? given.text : proposal,
  });
  const label = element(
    "label",
    { for: "typed-ink" },
    kind === "signature" ? texts.typeHere : texts.typeInitialsHere,
  );
  const styles = element("fieldset", { class: "hands" }, element("legend", {}, texts.handwriting));
  for (const [index, { id, family }] of scriptFonts.entries()) {
    const checked = given?.type === "typed" && given.font ? given.font === id : index === 0;
    const sample = element("span", { class: `hand hand-${id}` });
    const choice = element("input", {
      type: "radio",
      name: "hand",
      value: id,
      checked,
      "aria-label": family,
    });
    styles.append(element("label", {}, choice, sample));
  }
  const preview = () => {
    for (const sample of styles.querySelectorAll("span")) sample.textContent = input.value || " ";
  };
  input.addEventListener("input", preview);
  preview();
  return {
    ...panelOf("type", texts.type, label, input, styles),
    shown: () => input.focus(),
    ink: () => {
      const text = input.value.trim();
      const font = styles.querySelector<HTMLInputElement>("input:checked")?.value;
      return text === "" ? null : { type: "typed", text, ...(font === undefined ? {} : { font }) };
    },
  };
}

function drawingPanel(texts: Texts): Panel {
  const canvas = element("canvas", { class: "pad", role: "img", "aria-label": texts.drawHere });
  const hint = element("p", { class: "hint" }, texts.drawHere);
  // Ink that seals well is dark and even; signature_pad's default grows thin on quick strokes.
  const pad = new SignaturePad(canvas, { penColor: "#10224d", minWidth: 0.9, maxWidth: 2.6 });
  const clear = button(texts.clear, "plain", () => pad.clear());
  return {
    ...panelOf("draw", texts.draw, hint, canvas, clear),
    shown: () => fitToScreen(canvas, pad),
    ink: () => (pad.isEmpty() ? null : { type: "drawn", svg: pad.toSVG() }),
  };
}

/** A canvas has as many pixels as the screen shows, or strokes are blurred and land beside the finger. */
function fitToScreen(canvas: HTMLCanvasElement, pad: SignaturePad): void {
  const ratio = Math.max(devicePixelRatio, 1);
  const strokes = pad.toData();
  canvas.width = canvas.offsetWidth * ratio;
  canvas.height = canvas.offsetHeight * ratio;
  canvas.getContext("2d")?.scale(ratio, ratio);
  pad.fromData(strokes);
}

/** `Ana María López` → `AML`; a name in one word gives its first letter. */
function initialsOf(name: string): string {
  const letters = name.split(/\s+/).map((word) => [...word][0] ?? "");
  return letters.join("").toLocaleUpperCase().slice(0, 4);
}
