type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * A DOM element with attributes and children. Text always becomes a text node, so nothing a stranger wrote is ever
 * read as HTML.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

export function button(label: string, className: string, onClick: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", class: className }, label);
  made.addEventListener("click", onClick);
  return made;
}
