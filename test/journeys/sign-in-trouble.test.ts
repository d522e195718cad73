import t from "tap";
import { openApiAccount } from "../support/api-account.ts";
import { makePages } from "../support/make-pdf.ts";
import { openBrowser, type TestPage } from "../support/open-browser.ts";
import { openSigningCaller, people } from "../support/signing-caller.ts";
import { startSystem } from "../support/start-system.ts";

const box = { page: 1, x: 72, y: 100, width: 200, height: 40 };
const fields = [
  { type: "signature", ...box },
  { type: "date", ...box, y: 160, width: 100, height: 16 },
  { type: "text", ...box, y: 200, width: 60, height: 14, label: "City" },
];

t.test("when signing in a browser does not go smoothly", async (t) => {
  const system = await startSystem(t, { run: ["gateway", "signing"] });
  const account = await openApiAccount(t, system);
  const caller = await openSigningCaller(system, account);
  const newPage = await openBrowser(t);

  async function opened(link: string, options: Parameters<typeof newPage>[0] = {}): Promise<TestPage> {
    const page = await newPage(options);
    await page.goto(link);
    await page.waitForSelector(".page canvas");
    return page;
  }

  async function filledIn(link: string, city: string, options = {}): Promise<TestPage> {
    const page = await opened(link, options);
    await page.click(".field-signature button");
    await page.click("dialog .primary");
    await page.waitForSelector("dialog", { state: "detached" });
    await page.fill(".field-text input", city);
    return page;
  }

  async function signNow(page: TestPage): Promise<void> {
    await page.click("footer .primary");
    await page.check("#consent");
    await page.click("dialog .primary");
  }

  const [signer] = people(1);

  t.test("a value that does not fit is pointed at, in the signer's language", async (t) => {
    const { links } = await caller.create({ send_emails: false, signers: [{ ...signer, fields }] });
    const page = await filledIn(links[0] ?? "", "word ".repeat(100), { locale: "fr-FR" });
    await signNow(page);
    await page.waitForSelector(".field-text.refused input[aria-invalid=true]:focus");
    t.match(await page.textContent("footer .problem"), "Veuillez la modifier");
    await page.fill(".field-text input", "Lyon");
    t.equal(await page.locator(".refused").count(), 0, "a change takes the mark back");
    await signNow(page);
    await page.waitForSelector(".screen-done");
  });

  t.test("a signature whose answer was lost is found to be there", async (t) => {
    const { links } = await caller.create({
      send_emails: false,
      signers: people(2).map((one) => ({ ...one, fields })),
    });
    const page = await filledIn(links[0] ?? "", "Lyon");
    await page.route("**/complete", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await signNow(page);
    await page.waitForFunction(() => document.querySelector("dialog .problem")?.textContent !== "");
    t.match(await page.textContent("dialog .problem"), "nothing you filled in is lost");
    await page.unroute("**/complete");
    await page.click("dialog .primary");
    await page.waitForSelector(".screen-done");
    t.match(await page.textContent("main"), "You have signed");
  });

  t.test("a request that is cancelled meanwhile says so", async (t) => {
    const { id, links } = await caller.create({ send_emails: false, signers: [{ ...signer, fields }] });
    const page = await filledIn(links[0] ?? "", "Lyon");
    await caller.act(id, "cancel");
    await signNow(page);
    await page.waitForSelector(".screen-stop");
    t.match(await page.textContent("main"), "This request was cancelled");
  });

  t.test("nobody signs a document that cannot be shown", async (t) => {
    const { links } = await caller.create({ send_emails: false, signers: [{ ...signer, fields }] });
    const page = await newPage();
    await page.route("**/document", (route) => route.abort());
    await page.goto(links[0] ?? "");
    await page.waitForSelector(".screen-stop");
    t.match(await page.textContent("main"), "The document could not be opened");
  });

  t.test("the date that is shown is the date that is sealed: in UTC", async (t) => {
    const { links } = await caller.create({ send_emails: false, signers: [{ ...signer, fields }] });
    const page = await opened(links[0] ?? "", { timezoneId: "Pacific/Kiritimati" });
    t.equal(await page.textContent(".field-date .filled"), new Date().toISOString().slice(0, 10));
  });

  t.test("a long document keeps the pictures of a few pages only", async (t) => {
    const pdf_base64 = Buffer.from(await makePages(60)).toString("base64");
    const { links } = await caller.create({ send_emails: false, signers: people(1), pdf_base64 });
    const page = await opened(links[0] ?? "", { viewport: { width: 390, height: 844 } });
    await page.locator(".page").last().scrollIntoViewIfNeeded();
    await page.waitForSelector(".page:last-child canvas");
    t.equal(await page.locator(".page").first().locator("canvas").count(), 0);
    await page.locator(".page").first().scrollIntoViewIfNeeded();
    await page.waitForSelector(".page:first-child canvas");
  });
});
