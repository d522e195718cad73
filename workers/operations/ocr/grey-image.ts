/** An 8-bit grey image: what is recognised, wherever it came from. */

export type GreyImage = {
  width: number;
  height: number;
  /** Null when the source does not say. */
  dpi: number | null;
  /** Row by row from the top, 0 black, 255 white. */
  pixels: Uint8Array;
};

export type QuarterTurn = 0 | 90 | 180 | 270;

/** The image as a binary PGM file, which Tesseract reads without any decoding. */
export function toPgm({ width, height, pixels }: GreyImage): Uint8Array {
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`, "latin1");
  return Buffer.concat([header, pixels]);
}

/** The image turned clockwise. */
export function turn(image: GreyImage, angle: QuarterTurn): GreyImage {
  if (angle === 0) return image;
  const { width, height, dpi, pixels } = image;
  if (angle === 180) return { ...image, pixels: pixels.slice().reverse() };
  const turned = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    // The source row becomes a column: the last one for 90°, read from the bottom up for 270°.
    const column = angle === 90 ? height - 1 - y : y;
    for (let x = 0; x < width; x += 1) {
      const newRow = angle === 90 ? x : width - 1 - x;
      turned[newRow * height + column] = pixels[row + x] ?? 255;
    }
  }
  return { width: height, height: width, dpi, pixels: turned };
}
