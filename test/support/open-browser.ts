import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import type { Test } from "tap";

const quiet = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export type TestPage = Page & {
  /** What went wrong in the page: errors, refused resources, policies that were broken. */
  complaints: string[];
};

/** Debian's Chromium, closed after the test. */
export async function openBrowser(t: Test) {
  const browser: Browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    // Chromium refuses its sandbox to root, as which tests run in containers.
    args: [...quiet, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  });
  t.teardown(() => browser.close());
  return async (options: BrowserContextOptions = {}): Promise<TestPage> => {
    const context = await browser.newContext({ locale: "en-US", ...options });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    return Object.assign(page, { complaints });
  };
}

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Every rule of axe that the page breaks, with the element that breaks it. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Over the debugger's channel: the page's own policy lets no foreign script in.
  await page.evaluate(await readFile(axePath, "utf8"));
  const { violations } = (await page.evaluate("axe.run(document)")) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
