import { html, type Markup } from "./markup.ts";

/** ISO 8601 made readable; always UTC, and says so. */
export function time(iso: string): Markup {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}
