/** HTML that is known to be safe. Only `html` and `raw` make it, so a text of a stranger cannot pass for it. */
export type Markup = { readonly markup: string };

/** A template whose inserted texts are escaped, for element content and quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Markup)[]): Markup {
  const inserted = values.map((value) =>
    typeof value === "object" ? value.markup : escapeHtml(String(value)),
  );
  return { markup: String.raw({ raw: parts.raw }, ...inserted) };
}

/** For our own constants alone. */
export function raw(markup: string): Markup {
  return { markup };
}

export function join(pieces: readonly Markup[]): Markup {
  return { markup: pieces.map(({ markup }) => markup).join("\n") };
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  // HTML has no place for control characters; a replacement shows that one was there.
  const visible = text.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, "\ufffd");
  return visible.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
