import t from "tap";
import type { OperationName } from "../../platform/contracts/pdf-job.ts";
import { timeBound } from "../../workers/time-bound.ts";

const megabyte = 2 ** 20;

t.test("how long a job may be worked on", async (t) => {
  const table: [OperationName, bytes: number, seconds: number][] = [
    ["compress", 20_000, 50],
    ["compress", 5 * megabyte, 50],
    ["compress", 5 * megabyte + 1, 60],
    ["compress", 15 * megabyte, 60],
    ["compress", 100 * megabyte, 150],
    ["merge", 2000 * megabyte, 60],
    ["split", 100 * megabyte, 60],
    ["ocr", 1, 20 * 60],
  ];
  for (const [operation, bytes, seconds] of table) {
    t.equal(timeBound(operation, bytes), seconds * 1000, `${operation} of ${bytes} bytes: ${seconds} s`);
  }
});
