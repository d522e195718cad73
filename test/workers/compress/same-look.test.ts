import t from "tap";
import { similarity } from "../../../workers/operations/compress/same-look.ts";

type Paint = (x: number, y: number) => number;
const size = 96;
const text: Paint = (x, y) => (Math.floor(x / 5) % 2 === 0 && Math.floor(y / 9) % 2 === 0 ? 20 : 250);

t.test("two pictures of a page", async (t) => {
  t.test("are the same when nothing differs", async (t) => {
    t.equal(similarity(picture(text), picture(text), 0.99), 1);
  });

  t.test("are alike under a shift of less than a pixel", async (t) => {
    const half: Paint = (x, y) => (text(x, y) + text(x + 1, y)) / 2;
    t.ok(similarity(picture(text), picture(half), 0.98) >= 0.9);
    t.ok(similarity(picture(text), picture(half), 0.98) > similarity(picture(text), picture(half), 0));
  });

  t.test("differ when the page went blank, turned negative, or has another size", async (t) => {
    t.ok(
      similarity(
        picture(text),
        picture(() => 255),
        0.85,
      ) < 0.5,
    );
    t.ok(
      similarity(
        picture(text),
        picture((x, y) => 255 - text(x, y)),
        0.85,
      ) < 0.5,
    );
    t.equal(similarity(picture(text), { width: 1, height: 1, pixels: new Uint8Array(1) }, 0.85), 0);
  });
});

function picture(paint: Paint) {
  const pixels = Uint8Array.from({ length: size * size }, (_, at) => paint(at % size, Math.floor(at / size)));
  return { width: size, height: size, pixels };
}
