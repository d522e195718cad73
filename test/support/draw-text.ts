/** Pictures of text for OCR, drawn in code. */
import sharp from "sharp";

export type Drawing = {
  text: string;
  /** Clockwise, any angle; the picture grows to hold the turned page. */
  turnDegrees?: number;
  /** Pango's name of a font; any sans serif by default. */
  font?: string;
};

/** A quarter of an A4 page at 300 dpi, black on white, in 14 points. */
export async function drawText({ text, turnDegrees = 0, font = "Sans" }: Drawing): Promise<Buffer> {
  const lines = { text, font: `${font} 14`, dpi: 300, width: 1100, wrap: "word" as const };
  const drawn = await sharp({ text: lines }).toColourspace("b-w").negate().png().toBuffer();
  const page = await sharp({ create: { width: 1240, height: 800, channels: 3, background: "white" } })
    .composite([{ input: drawn, left: 70, top: 60 }])
    .png()
    .toBuffer();
  return sharp(page)
    .flatten({ background: "white" })
    .rotate(turnDegrees, { background: "white" })
    .toColourspace("b-w")
    .withMetadata({ density: 300 })
    .png()
    .toBuffer();
}
