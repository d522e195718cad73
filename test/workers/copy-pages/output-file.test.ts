import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import t from "tap";
import { createOutputFile, readResultFile } from "../../../workers/operations/copy-pages/output-file.ts";

t.test("a result as it grows", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "output-file-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  let files = 0;
  const nextPath = () => join(folder, `${files++}`);

  t.test(
    "holds what was written, in memory or on disk, whatever becomes of the writer's own memory",
    async () => {
      const sizes = fc.array(fc.oneof(fc.nat(100), fc.nat(20_000), fc.nat(1_500_000)), { maxLength: 12 });
      fc.assert(
        fc.property(sizes, fc.nat(2_000_000), (lengths, memoryBytes) => {
          const output = createOutputFile(nextPath(), memoryBytes);
          const expected: Buffer[] = [];
          for (const [index, length] of lengths.entries()) {
            const bytes = Buffer.alloc(length, index + 1);
            expected.push(Buffer.from(bytes));
            output.write(bytes);
            bytes.fill(0);
          }
          const whole = Buffer.concat(expected);
          return output.size() === whole.length && whole.equals(readResultFile(output.finish()));
        }),
        { numRuns: 60 },
      );
    },
  );

  t.test("leaves nothing on disk when it is given up", async (t) => {
    const path = nextPath();
    const output = createOutputFile(path, 10);
    output.write(Buffer.alloc(2_000_000));
    t.ok(existsSync(path));
    output.discard();
    t.notOk(existsSync(path));
  });

  t.test("has a buffer to itself, which can be handed to another thread", async (t) => {
    const output = createOutputFile(nextPath(), 100);
    output.write(Buffer.from("small"));
    const bytes = output.finish() as Uint8Array;
    t.equal(bytes.buffer.byteLength, bytes.byteLength);
  });
});
