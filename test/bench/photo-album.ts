/** An album as a camera fills it: one large photo a page, each a JPEG of its own. */
import { PDFDocument } from "pdf-lib";
import sharp from "sharp";

const [width, height] = [6000, 4000];
const [pageWidth, pageHeight] = [842, 595];

/** About so many bytes of PDF. */
export async function photoAlbum(bytes: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let made = 0; made < bytes; ) {
    const photo = await photograph(made);
    const page = document.addPage([pageWidth, pageHeight]);
    const image = await document.embedJpg(photo);
    page.drawImage(image, { x: 0, y: 0, width: pageWidth, height: pageHeight });
    made += photo.length;
  }
  return document.save();
}

/** Blurred noise, large shapes and small ones, with a sensor's grain on top. */
async function photograph(seed: number): Promise<Uint8Array> {
  const layers = await Promise.all(
    [12, 96, 1500].map((cells) => {
      const noise = noiseOf(cells, Math.round((cells * height) / width), seed + cells);
      return noise.resize(width, height, { kernel: "cubic" }).raw().toBuffer();
    }),
  );
  const [large, middle, small] = layers as [Buffer, Buffer, Buffer];
  for (let at = 0; at < large.length; at += 1) {
    large[at] = (large[at] as number) * 0.66 + (middle[at] as number) * 0.3 + (small[at] as number) * 0.04;
  }
  return sharp(large, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 98 })
    .toBuffer();
}

function noiseOf(width: number, height: number, seed: number) {
  const data = Buffer.alloc(width * height * 3);
  let state = seed >>> 0 || 1;
  for (let at = 0; at < data.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    data[at] = state >>> 24;
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}
