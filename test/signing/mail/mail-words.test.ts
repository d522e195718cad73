import t from "tap";
import { mailHtml, mailText } from "../../../signing/mail/lay-out-mail.ts";
import { type MailFacts, mailWords } from "../../../signing/mail/mail-words.ts";

const url = "https://sign.example.com/sign/abc";
const facts: MailFacts = {
  kind: "invitation",
  title: `<img src=x onerror="alert(1)">`,
  signerName: "Zoë & <b>Bob</b>",
  message: "First line\n<script>alert('x')</script>",
  expiresAt: new Date("2026-11-28T08:00:00.000Z"),
  url,
};

t.test("a mail", async (t) => {
  t.test("shows strangers' words as words", async (t) => {
    for (const kind of ["invitation", "reminder", "completion"] as const) {
      const html = mailHtml(mailWords({ ...facts, kind }), url);
      t.notMatch(html, /<script|<img|<b>/);
      t.match(html, "Zoë &amp; &lt;b&gt;Bob&lt;/b&gt;");
    }
  });

  t.test("says the same as text, with the link on a line of its own", async (t) => {
    const text = mailText(mailWords(facts), url);
    t.match(text, `\n${url}\n`);
    t.match(text, "> First line\n> <script>alert('x')</script>");
    t.match(text, "28 November 2026 at 08:00 UTC");
  });

  t.test("loads nothing from elsewhere", async (t) => {
    const html = mailHtml(mailWords({ ...facts, title: "Lease", message: null }), url);
    t.same(
      [...html.matchAll(/(?:src|href|url\()=?["']?([^"'>\s]+)/g)].map(([, target]) => target),
      [url, url],
    );
  });

  t.test("repeats the sender's words in a reminder, and not when all is signed", async (t) => {
    t.equal(mailWords({ ...facts, kind: "reminder" }).quote, facts.message);
    t.equal(mailWords({ ...facts, kind: "completion" }).quote, null);
  });
});
