import fc from "fast-check";
import t from "tap";
import { apply, inTurn, rotation, undoTurn } from "../../../workers/operations/ocr/affine.ts";
import { type QuarterTurn, turn } from "../../../workers/operations/ocr/grey-image.ts";

const turns = fc.constantFrom<QuarterTurn>(0, 90, 180, 270);

t.test("a page that was turned to be read", async (t) => {
  t.test("keeps every pixel, turned clockwise", async (t) => {
    const image = { width: 3, height: 2, dpi: 300, pixels: Uint8Array.of(1, 2, 3, 4, 5, 6) };
    t.same([...turn(image, 90).pixels], [4, 1, 5, 2, 6, 3]);
    t.same([...turn(image, 180).pixels], [6, 5, 4, 3, 2, 1]);
    t.same([...turn(image, 270).pixels], [3, 6, 2, 5, 1, 4]);
    t.same(turn(image, 90), { width: 2, height: 3, dpi: 300, pixels: Uint8Array.of(4, 1, 5, 2, 6, 3) });
  });

  t.test("leads each pixel back to where it was", async () => {
    const side = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(side, side, turns, (width, height, angle) => {
        const image = {
          width,
          height,
          dpi: null,
          pixels: Uint8Array.from({ length: width * height }, (_, i) => i),
        };
        const turned = turn(image, angle);
        const back = undoTurn(angle, width, height);
        return turned.pixels.every((value, index) => {
          const [x, y] = apply(back, (index % turned.width) + 0.5, Math.floor(index / turned.width) + 0.5);
          return image.pixels[Math.floor(y) * width + Math.floor(x)] === value;
        });
      }),
    );
  });

  t.test("is straightened about its middle, and led back", async (t) => {
    const there = rotation(0.1, 50, 20);
    t.same(apply(there, 50, 20), [50, 20]);
    const [, y] = apply(there, 60, 20);
    t.ok(y > 20, "clockwise: the right side goes down");
    const [backX, backY] = apply(inTurn(there, rotation(-0.1, 50, 20)), 7, 9);
    t.ok(Math.hypot(backX - 7, backY - 9) < 1e-9);
  });
});
