import fc from "fast-check";
import t from "tap";
import { rasterSize } from "../../../workers/operations/ocr/raster-size.ts";

t.test("the resolution of a page that is recognised", async (t) => {
  t.test("is 300 dpi for text, its scan's up to 400, less for what is huge", async (t) => {
    const table: [
      page: [number, number, number | null],
      size: { width: number; height: number; dpi: number },
    ][] = [
      [[595, 842, null], { width: 2479, height: 3508, dpi: 300 }],
      [[595, 842, 72], { width: 2479, height: 3508, dpi: 300 }],
      [[595, 842, 350], { width: 2892, height: 4093, dpi: 350 }],
      [[595, 842, 2400], { width: 3305, height: 4677, dpi: 400 }],
      [[2384, 3370, 600], { width: 5319, height: 7519, dpi: 161 }],
      [[1, 14_400, null], { width: 2, height: 32_000, dpi: 160 }],
      [[0, 0, null], { width: 4, height: 4, dpi: 300 }],
    ];
    for (const [page, size] of table) t.same(rasterSize(...page), size, page.join(" "));
  });

  t.test("never needs more than 40 million pixels, and never none", async () => {
    const points = fc.double({ min: 0, max: 2_000_000, noNaN: true });
    fc.assert(
      fc.property(points, points, fc.option(fc.integer({ min: 1, max: 100_000 })), (width, height, dpi) => {
        const size = rasterSize(width, height, dpi);
        return (
          size.width >= 1 && size.height >= 1 && size.width * size.height <= 40e6 && size.width <= 32_000
        );
      }),
    );
  });
});
