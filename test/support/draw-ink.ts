import type { Locator } from "playwright-core";
import type { TestPage } from "./open-browser.ts";

/** Draws a signature into a field with the mouse, by way of its dialog. */
export async function drawInk(page: TestPage, field: Locator): Promise<void> {
  await field.click();
  await page.click("#tab-draw");
  const box = await page.locator("canvas.pad").boundingBox();
  if (box === null) throw new Error("no pad to draw on");
  await page.mouse.move(box.x + 30, box.y + 90);
  await page.mouse.down();
  for (let step = 1; step <= 20; step += 1) {
    await page.mouse.move(box.x + 30 + step * 12, box.y + 90 + 40 * Math.sin(step / 2));
  }
  await page.mouse.up();
  await page.click("dialog .primary");
  await page.waitForSelector("dialog", { state: "detached" });
}

/** As a finger does: touch events, which Chromium makes of its own touch protocol. */
export async function strokeWithFinger(page: TestPage, pad: Locator): Promise<void> {
  const box = await pad.boundingBox();
  if (box === null) throw new Error("no pad to draw on");
  const session = await page.context().newCDPSession(page);
  const touch = (type: string, points: { x: number; y: number }[]) =>
    session.send("Input.dispatchTouchEvent", { type: type as "touchStart", touchPoints: points });
  await touch("touchStart", [{ x: box.x + 20, y: box.y + 60 }]);
  for (let step = 1; step <= 15; step += 1) {
    await touch("touchMove", [{ x: box.x + 20 + step * 12, y: box.y + 60 + 25 * Math.sin(step / 2) }]);
  }
  await touch("touchEnd", []);
}
