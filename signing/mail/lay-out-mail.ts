import type { MailWords } from "./mail-words.ts";

/** The mail as HTML: tables and inline styles, as mail programs ask; nothing is loaded from elsewhere. */
export function mailHtml(words: MailWords, url: string): string {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escaped(text)}</p>`;
  const quote =
    words.quote === null
      ? ""
      : `<div style="margin:0 0 20px;padding:12px 16px;border-left:3px solid #c7d2e0;background:#f6f8fb;color:#334155">${escaped(words.quote)}</div>`;
  const small = words.small.map((text) => `<p style="margin:0 0 8px">${escaped(text)}</p>`).join("");
  return `<!doctype html>
<html lang="en" dir="auto">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escaped(words.subject)}</title></head>
<body style="margin:0;background:#eef1f5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#eef1f5"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-radius:10px;border:1px solid #dde3ea">
<tr><td style="padding:36px 36px 28px;font:16px/1.55 -apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;color:#1b2733;overflow-wrap:anywhere">
${paragraph(words.greeting)}
${words.paragraphs.map(paragraph).join("\n")}
${quote}
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:24px 0"><tr><td style="background:#1f4fd8;border-radius:8px">
<a href="${escaped(url)}" style="display:inline-block;padding:13px 26px;font-weight:600;color:#ffffff;text-decoration:none">${escaped(words.button)}</a>
</td></tr></table>
<p style="margin:0;color:#51606f;font-size:14px">${escaped(words.afterButton)}</p>
</td></tr>
<tr><td style="padding:18px 36px 24px;border-top:1px solid #e6ebf0;font:13px/1.5 -apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;color:#51606f;overflow-wrap:anywhere">
${small}<p style="margin:0">If the button does not work, open this address:<br><a href="${escaped(url)}" style="color:#1f4fd8">${escaped(url)}</a></p>
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

/** The same for programs that show no HTML. */
export function mailText(words: MailWords, url: string): string {
  const quote =
    words.quote === null
      ? []
      : [
          words.quote
            .split(/\r?\n/)
            .map((line) => `> ${line}`)
            .join("\n"),
        ];
  return [
    words.greeting,
    ...words.paragraphs,
    ...quote,
    `${words.button}:\n${url}`,
    words.afterButton,
    ["-- ", ...words.small].join("\n"),
    "",
  ].join("\n\n");
}

/** For element content and quoted attributes; line breaks stay visible. */
function escaped(text: string): string {
  const marks: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark).replace(/\r?\n/g, "<br>\n");
}
