import fc from "fast-check";
import t from "tap";
import type { PageBox } from "../../../platform/pdf/page-box.ts";
import { displayedToUserSpace, fieldsOutsidePage } from "../../../signing/seal/place-field.ts";

const pages = [
  { width: 595.28, height: 841.89 },
  { width: 842, height: 595 },
];

function faultOf(box: Partial<{ page: number; x: number; y: number; width: number; height: number }>) {
  const whole = { page: 1, x: 10, y: 10, width: 100, height: 20, ...box };
  return fieldsOutsidePage([{ path: "signers[0].fields[0]", box: whole }], pages)[0]?.message;
}

t.test("a field's place is checked against the page as a reader shows it", async (t) => {
  t.equal(faultOf({}), undefined);
  t.equal(faultOf({ page: 2, x: 742, y: 575 }), undefined, "up to the very edge");
  t.equal(faultOf({ x: 495.3, width: 100 }), undefined, "sizes rounded to a tenth are on the page");
  t.match(faultOf({ page: 0 }), /no page 0.*1 to 2/);
  t.match(faultOf({ page: 3 }), /no page 3/);
  t.match(faultOf({ page: 1.5 }), /no page 1\.5/);
  t.match(faultOf({ x: -1 }), /leaves page 1, which is 595\.28 × 841\.89 points/);
  t.match(faultOf({ y: 830 }), /leaves page 1/);
  t.match(faultOf({ width: 0 }), /leaves/);
  t.match(faultOf({ height: Number.NaN }), /leaves/);
});

t.test("a displayed point lands on the page's user space, whatever turns and units", async () => {
  const geometry = fc.record({
    x: fc.integer({ min: -500, max: 500 }),
    y: fc.integer({ min: -500, max: 500 }),
    width: fc.integer({ min: 10, max: 2000 }),
    height: fc.integer({ min: 10, max: 2000 }),
    quarterTurns: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const),
    userUnit: fc.constantFrom(1, 2, 0.5, 10),
  });
  fc.assert(
    fc.property(geometry, (own) => {
      const turned = own.quarterTurns % 2 === 1;
      const shownWidth = (turned ? own.height : own.width) * own.userUnit;
      const shownHeight = (turned ? own.width : own.height) * own.userUnit;
      const page: PageBox = { ...own, shownWidth, shownHeight };
      const [a, b, c, d, e, f] = displayedToUserSpace(page);
      const toUser = (x: number, y: number) => [a * x + c * y + e, b * x + d * y + f];
      // The four displayed corners, anticlockwise from the bottom left, are the box's, one turn further each.
      const shown = [
        toUser(0, 0),
        toUser(shownWidth, 0),
        toUser(shownWidth, shownHeight),
        toUser(0, shownHeight),
      ];
      const right = own.x + own.width;
      const top = own.y + own.height;
      const corners = [
        [own.x, own.y],
        [right, own.y],
        [right, top],
        [own.x, top],
      ];
      return shown.every((corner, index) => {
        const due = corners[(index + own.quarterTurns) % 4] ?? [];
        return corner.every((value, axis) => Math.abs(value - (due[axis] ?? 0)) < 1e-6);
      });
    }),
  );
});
