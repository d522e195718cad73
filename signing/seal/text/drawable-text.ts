export type DrawableText = { ok: true; lines: string[] } | { ok: false; message: string };

/** A text as it is drawn: composed (NFC), tabs as spaces, cut at line ends. Control characters draw nothing: refused. */
export function drawableText(text: string): DrawableText {
  if (!text.isWellFormed()) return { ok: false, message: "The text is not valid Unicode." };
  const lines = text
    .normalize("NFC")
    .replaceAll("\t", " ")
    .split(/\r\n|[\n\r\u2028\u2029]/);
  const control = lines.join("").match(/\p{Cc}/u);
  if (control) {
    const code = (control[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return { ok: false, message: `The text holds the control character U+${code}; leave it out.` };
  }
  return { ok: true, lines };
}
