import fc from "fast-check";
import t from "tap";
import { Failure } from "../../../platform/contracts/failures.ts";
import { planSplit, type SplitParams } from "../../../workers/operations/split/split-plan.ts";

t.test("planning a split", async (t) => {
  const plans: [SplitParams, number, number[][]][] = [
    [{ mode: "pages" }, 3, [[1], [2], [3]]],
    [{ mode: "range", pages: [[1, 2], [3]] }, 3, [[1, 2], [3]]],
    [{ mode: "range", pages: [[3, 1, 3]] }, 3, [[3, 1, 3]]],
    [{ mode: "fixed", pagesPerFile: 2 }, 5, [[1, 2], [3, 4], [5]]],
    [{ mode: "fixed", pagesPerFile: 9 }, 2, [[1, 2]]],
    [
      { mode: "equal", numFiles: 2 },
      4,
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [{ mode: "equal", numFiles: 3 }, 5, [[1, 2], [3, 4], [5]]],
  ];
  for (const [params, pageCount, expected] of plans) {
    t.same(planSplit(params, pageCount), expected, `${JSON.stringify(params)} of ${pageCount} pages`);
  }

  t.test("gives every page exactly once, the first parts getting the pages left over", async () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 300 }),
        (pageCount, numFiles) => {
          fc.pre(numFiles <= pageCount);
          const parts = planSplit({ mode: "equal", numFiles }, pageCount);
          const sizes = parts.map((part) => part.length);
          return (
            parts.length === numFiles &&
            parts.flat().every((page, index) => page === index + 1) &&
            parts.flat().length === pageCount &&
            sizes.every((size, index) => index === 0 || size <= (sizes[index - 1] ?? 0)) &&
            (sizes[0] ?? 0) - (sizes.at(-1) ?? 0) <= 1
          );
        },
      ),
    );
  });

  t.test("names every page that does not exist", async (t) => {
    const pages = [
      [1, 0],
      [2, -1, 4],
      [3, 1e12],
    ];
    const fault = faultOf({ mode: "range", pages }, 3);
    t.equal(fault.code, "validation_failed");
    t.same(
      fault.details?.map(({ path }) => path),
      ["options.pages[0][1]", "options.pages[1][1]", "options.pages[1][2]", "options.pages[2][1]"],
    );
    t.match(
      fault.message,
      /options\.pages\[0\]\[1\]: page 0 does not exist: the file has pages 1 to 3 \(and 3 more\)/,
    );
  });

  const refused: [SplitParams, string][] = [
    [{ mode: "range", pages: [] }, "options.pages"],
    [{ mode: "range", pages: [[1], []] }, "options.pages[1]"],
    [{ mode: "equal", numFiles: 4 }, "options.num_files"],
    [{ mode: "equal", numFiles: 0 }, "options.num_files"],
    [{ mode: "fixed", pagesPerFile: 0 }, "options.pages_per_file"],
    [{ mode: "fixed", pagesPerFile: -3 }, "options.pages_per_file"],
  ];
  for (const [params, path] of refused) {
    t.equal(faultOf(params, 3).details?.[0]?.path, path, `${JSON.stringify(params)} is refused`);
  }

  t.test("bounds how often pages may be repeated", async (t) => {
    const often = Array.from({ length: 1001 }, () => 1);
    t.equal(faultOf({ mode: "range", pages: [often] }, 1).code, "too_complex", "in one part");
    const many = Array.from({ length: 100_001 }, () => [1]);
    t.equal(faultOf({ mode: "range", pages: many }, 1).code, "too_complex", "in all");
  });
});

function faultOf(params: SplitParams, pageCount: number): Failure {
  try {
    planSplit(params, pageCount);
  } catch (fault) {
    if (fault instanceof Failure) return fault;
    throw fault;
  }
  throw new Error("it was accepted");
}
