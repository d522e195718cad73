import fc from "fast-check";
import t from "tap";
import { pagesOf, runsOf } from "../../../signing/requests/page-runs.ts";

const size = fc.record({ width: fc.constantFrom(595, 612), height: fc.constantFrom(792, 842) });

t.test("page sizes kept as runs come back as they were", async (t) => {
  fc.assert(fc.property(fc.array(size), (pages) => t.same(pagesOf(runsOf(pages)), pages)));
  t.same(runsOf(Array(9000).fill({ width: 595, height: 842 })), [[9000, 595, 842]]);
});
