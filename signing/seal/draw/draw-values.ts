/** The values of one page as a form XObject (ISO 32000-1 §8.10), laid over the page as its reader sees it. */
import { type PDFContext, PDFName, type PDFRawStream, type PDFRef } from "pdf-lib";
import type { PageBox } from "../../../platform/pdf/page-box.ts";
import { type Changes, flateStream } from "../pdf-file/write-update.ts";
import { displayedToUserSpace } from "../place-field.ts";
import { drawInk } from "./draw-ink.ts";
import { drawLine } from "./draw-line.ts";
import type { FontsInUse } from "./fonts-in-use.ts";
import { number } from "./operators.ts";
import type { PreparedValue } from "./prepare-values.ts";
import type { Picture } from "./read-picture.ts";

export type Drawing = { context: PDFContext; changes: Changes; fonts: FontsInUse };

// The blue-black of a fountain pen: it stands out from print and survives a copier.
const penColour = "0.05 0.08 0.3";

export function drawValues(values: readonly PreparedValue[], page: PageBox, drawing: Drawing): PDFRawStream {
  const { context, fonts } = drawing;
  const pictures = new Map<string, PDFRef>();
  const content = values.map((value) => {
    const { x, y, width, height } = value.box;
    const origin = `1 0 0 1 ${number(x)} ${number(page.shownHeight - y - height)} cm`;
    return `q\n${origin}\n${drawValue(value, { width, height }, { ...drawing, pictures })}Q\n`;
  });
  return flateStream(context, content.join(""), {
    Type: PDFName.of("XObject"),
    Subtype: PDFName.of("Form"),
    BBox: context.obj([0, 0, page.shownWidth, page.shownHeight]),
    Matrix: context.obj([...displayedToUserSpace(page)]),
    Resources: context.obj({ Font: fonts.resources(), XObject: context.obj(Object.fromEntries(pictures)) }),
  });
}

type BoxDrawing = Drawing & { pictures: Map<string, PDFRef> };

function drawValue(
  value: PreparedValue,
  box: { width: number; height: number },
  drawing: BoxDrawing,
): string {
  switch (value.kind) {
    case "text": {
      const colour = value.isSignature ? `${penColour} rg\n` : "0 g\n";
      return (
        colour +
        value.lines.map((placed) => drawLine(placed.line, value.fontSize, placed, drawing.fonts)).join("")
      );
    }
    case "check":
      return drawCheck(box);
    case "strokes":
      return `${penColour} RG\n${drawInk(value.strokes, box)}`;
    case "picture":
      return drawPicture(value.picture, box, drawing);
  }
}

/** A tick as large as the box's smaller side, in its middle. */
function drawCheck({ width, height }: { width: number; height: number }): string {
  const side = Math.min(width, height) * 0.8;
  const at = (x: number, y: number) =>
    `${number(width / 2 + (x - 0.5) * side)} ${number(height / 2 + (y - 0.5) * side)}`;
  return `0 G 1 J 1 j ${number(side * 0.12)} w\n${at(0.1, 0.5)} m ${at(0.4, 0.15)} l ${at(0.9, 0.85)} l S\n`;
}

function drawPicture(picture: Picture, box: { width: number; height: number }, drawing: BoxDrawing): string {
  const name = `P${drawing.pictures.size + 1}`;
  drawing.pictures.set(name, addPicture(picture, drawing));
  const scale = Math.min(box.width / picture.width, box.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  const place = [width, 0, 0, height, (box.width - width) / 2, (box.height - height) / 2];
  return `${place.map(number).join(" ")} cm\n/${name} Do\n`;
}

function addPicture({ width, height, rgb, alpha }: Picture, { context, changes }: Drawing): PDFRef {
  const add = (data: Uint8Array, space: string, mask: Record<string, PDFRef>) => {
    const ref = context.nextRef();
    const entries = {
      Type: PDFName.of("XObject"),
      Subtype: PDFName.of("Image"),
      ColorSpace: PDFName.of(space),
    };
    const size = { Width: context.obj(width), Height: context.obj(height), BitsPerComponent: context.obj(8) };
    changes.set(ref, flateStream(context, data, { ...entries, ...size, ...mask }));
    return ref;
  };
  return add(rgb, "DeviceRGB", { SMask: add(alpha, "DeviceGray", {}) });
}
