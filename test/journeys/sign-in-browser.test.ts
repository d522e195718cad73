import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { openApiAccount } from "../support/api-account.ts";
import { drawInk, strokeWithFinger } from "../support/draw-ink.ts";
import { makePdf } from "../support/make-pdf.ts";
import { accessibilityFaults, openBrowser, type TestPage } from "../support/open-browser.ts";
import { ownFolder } from "../support/start-servers.ts";
import { startSystem, type TestSystem } from "../support/start-system.ts";
import { until } from "../support/until.ts";

type Signer = { name: string; email: string; fields?: object[] };
const ada: Signer = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  fields: [
    { type: "signature", page: 1, x: 72, y: 100, width: 200, height: 50 },
    { type: "name", page: 1, x: 72, y: 170, width: 200, height: 20 },
    { type: "text", page: 1, x: 72, y: 200, width: 200, height: 20, label: "City" },
    { type: "initials", page: 2, x: 72, y: 100, width: 80, height: 30 },
    { type: "checkbox", page: 2, x: 72, y: 150, width: 16, height: 16, label: "I have read it" },
  ],
};
const grace: Signer = { name: "Grace Hopper", email: "grace@example.com" };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

t.test("signing in a browser", async (t) => {
  const system = await startSystem(t, { run: ["gateway", "signing"] });
  const { call, key } = await openApiAccount(t, system);
  const newPage = await openBrowser(t);

  /** Opens a request and answers where each signer signs. */
  async function request(signers: Signer[], over: object = {}) {
    const pdf = await makePdf({ pages: [{ text: "Lease of 12 Elm Street" }, { text: "Signatures" }] });
    const { body } = await call("POST", "/api/v1/signature-requests", {
      title: "Lease",
      pdf_base64: Buffer.from(pdf).toString("base64"),
      send_emails: false,
      signers,
      ...over,
    });
    const links = body.data.signers.map(
      ({ sign_url }: { sign_url: string }) => system.baseUrl + new URL(sign_url).pathname,
    );
    return { id: body.data.id as string, links: links as string[] };
  }

  const statusOf = async (id: string) =>
    (await call("GET", `/api/v1/signature-requests/${id}`)).body.data.status as string;

  async function untilStatus(id: string, status: string): Promise<void> {
    await until(`the request is ${status}`, async () => ((await statusOf(id)) === status ? true : null));
  }

  async function sealedText(t: Test, id: string): Promise<string> {
    await untilStatus(id, "completed");
    return textOfSealed(t, system, key, id);
  }

  t.test("draws and completes with a mouse on a desktop", async (t) => {
    const { id, links } = await request([ada]);
    const page = await newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(links[0] ?? "");
    await page.waitForSelector(".page canvas");
    t.equal(await page.textContent("h1"), "Lease");
    t.match(
      await page.textContent(".text-layer"),
      "Lease of 12 Elm Street",
      "the text can be read and selected",
    );
    t.same(await accessibilityFaults(page), []);
    await page.fill(".field-text input", "London");
    await drawInk(page, page.locator(".field-signature button"));
    await drawInk(page, page.locator(".field-initials button"));
    await page.check(".field-checkbox input");
    await finish(t, page);
    t.match(await sealedText(t, id), /London/);
    t.same(page.complaints, []);
  });

  t.test("places a drawn signature by touch at phone size, and downloads what was sealed", async (t) => {
    const { id, links } = await request([grace]);
    const page = await newPage(phone);
    await page.goto(links[0] ?? "");
    await page.waitForSelector(".page canvas");
    await page.tap("footer .secondary");
    await page.tap("#tab-draw");
    await strokeWithFinger(page, page.locator("canvas.pad"));
    t.same(await accessibilityFaults(page), []);
    await page.tap("dialog .primary");
    await page.locator(".page").first().scrollIntoViewIfNeeded();
    await page
      .locator(".page")
      .first()
      .tap({ position: { x: 100, y: 120 } });
    t.equal(
      await page.locator(".page").first().locator(".placed").count(),
      1,
      "the signature follows the finger",
    );
    t.same(await accessibilityFaults(page), []);
    await finish(t, page);
    await page.waitForSelector(".screen-done a.primary");
    t.same(await accessibilityFaults(page), []);
    const [download] = await Promise.all([page.waitForEvent("download"), page.tap(".screen-done a.primary")]);
    t.match(pdfsig(await download.path()), "Signature is Valid");
    await sealedText(t, id);
    t.same(page.complaints, []);
  });

  t.test("types and completes with the keyboard alone", async (t) => {
    const { id, links } = await request([ada]);
    const page = await newPage();
    await page.goto(links[0] ?? "");
    await page.waitForSelector(".page canvas");
    const press = (key: string) => page.keyboard.press(key);
    await tabTo(page, ".field-signature button");
    await press("Enter");
    await page.waitForSelector("#typed-ink:focus");
    await press("Enter");
    await tabTo(page, "dialog .primary");
    await press("Enter");
    await page.waitForSelector(".field-signature .hand");
    await tabTo(page, ".field-text input");
    await page.keyboard.type("Arlington");
    await tabTo(page, ".field-initials button");
    await press("Enter");
    await page.waitForSelector("#typed-ink:focus");
    await tabTo(page, "dialog .primary");
    await press("Enter");
    await tabTo(page, ".field-checkbox input");
    await press("Space");
    await tabTo(page, "footer .primary");
    await press("Enter");
    await page.waitForSelector("#consent:focus");
    await press("Space");
    await tabTo(page, "dialog .primary");
    await press("Enter");
    await page.waitForSelector(".screen-done");
    t.match(await sealedText(t, id), /Arlington/);
    t.same(page.complaints, []);
  });

  t.test("tells two signers where they stand, until both have signed", async (t) => {
    const { id, links } = await request([{ ...ada, fields: [] }, grace], { enforce_order: true });
    const late = await newPage({ locale: "de-DE" });
    await late.goto(links[1] ?? "");
    await late.waitForSelector(".screen");
    t.match(await late.textContent("main"), "Sie sind noch nicht an der Reihe");
    for (const link of links) {
      const page = await newPage();
      await page.goto(link);
      await page.waitForSelector(".page canvas");
      await page.click("footer .secondary");
      await page.click("dialog .primary");
      await finish(t, page);
    }
    const text = await sealedText(t, id);
    t.match(text, /Ada Lovelace/);
    t.match(text, /Grace Hopper/);
    await late.goto(links[0] ?? "");
    await late.waitForSelector(".screen-done a.primary");
  });

  t.test("has a friendly word for links that lead nowhere now", async (t) => {
    const { id, links } = await request([ada]);
    await call("POST", `/api/v1/signature-requests/${id}/cancel`);
    const page = await newPage();
    await page.goto(links[0] ?? "");
    await page.waitForSelector(".screen-stop");
    t.match(await page.textContent("main"), "This request was cancelled");
    t.same(await accessibilityFaults(page), []);
    const link = links[0] ?? "";
    await page.goto(link.slice(0, -1) + (link.endsWith("A") ? "B" : "A"));
    await page.waitForSelector(".screen-stop");
    t.match(await page.textContent("main"), "This link does not work");
    t.same(await accessibilityFaults(page), []);
  });

  t.test("looking at a link changes nothing: only a page that is seen reports the opening", async (t) => {
    const { id, links } = await request([ada]);
    await fetch(links[0] ?? "");
    await fetch(`${links[0]}/request`);
    await fetch(`${links[0]}/document`).then((answer) => answer.arrayBuffer());
    t.equal(await statusOf(id), "pending");
    const page = await newPage();
    await page.goto(links[0] ?? "");
    await untilStatus(id, "in_progress");
  });
});

async function finish(t: Test, page: TestPage): Promise<void> {
  await page.click("footer .primary");
  await page.click("dialog .primary");
  t.match(await page.textContent("dialog .problem"), "Tick the box", "nothing is signed without consent");
  await page.check("#consent");
  await page.click("dialog .primary");
  await page.waitForSelector(".screen-done");
}

async function tabTo(page: TestPage, selector: string): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the keyboard does not reach ${selector}`);
}

async function textOfSealed(t: Test, system: TestSystem, key: string, id: string): Promise<string> {
  const answer = await fetch(`${system.baseUrl}/api/v1/signature-requests/${id}/download`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const path = join(await ownFolder(t), "sealed.pdf");
  await writeFile(path, Buffer.from(await answer.arrayBuffer()));
  t.match(pdfsig(path), "Signature is Valid");
  return execFileSync("pdftotext", [path, "-"], { encoding: "utf8" });
}

function pdfsig(path: string): string {
  return execFileSync("pdfsig", ["-nocert", path], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}
