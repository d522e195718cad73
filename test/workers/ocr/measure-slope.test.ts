import sharp from "sharp";
import t from "tap";
import { measureSlope } from "../../../workers/operations/ocr/measure-slope.ts";
import { drawText } from "../../support/draw-text.ts";

const text = "Lines of text that slope on a page that was laid askew on the scanner's glass. ".repeat(4);

async function slopeDegrees(picture: Buffer): Promise<number> {
  const { data, info } = await sharp(picture).extractChannel(0).raw().toBuffer({ resolveWithObject: true });
  const image = { width: info.width, height: info.height, dpi: 300, pixels: data };
  return (measureSlope(image) * 180) / Math.PI;
}

t.test("the slope of a page", async (t) => {
  for (const degrees of [-6, -2.5, -1, 1.5, 4]) {
    t.test(`of ${degrees}° is measured to a quarter of a degree`, async (t) => {
      const measured = await slopeDegrees(await drawText({ text, turnDegrees: degrees }));
      t.ok(Math.abs(measured - degrees) < 0.25, String(measured));
    });
  }

  t.test("is none where it is too small to matter, or nothing has lines", async (t) => {
    t.equal(await slopeDegrees(await drawText({ text })), 0);
    t.equal(await slopeDegrees(await drawText({ text, turnDegrees: 0.4 })), 0);
    const gaussian = { type: "gaussian" as const, mean: 128, sigma: 40 };
    const noise = { width: 900, height: 900, channels: 3 as const, noise: gaussian, background: "white" };
    // Noise was once taken for lines of 9.7°: chance alone makes some direction look striped.
    for (let page = 0; page < 8; page += 1) {
      t.equal(await slopeDegrees(await sharp({ create: noise }).png().toBuffer()), 0);
    }
    const blank = { width: 50, height: 50, channels: 3 as const, background: "white" };
    t.equal(await slopeDegrees(await sharp({ create: blank }).png().toBuffer()), 0);
  });
});
