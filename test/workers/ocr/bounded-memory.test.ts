import t from "tap";
import { boundMemory } from "../../../workers/operations/ocr/bounded-memory.ts";

t.test("WebAssembly memory ends at its bound, and it is known that it did", async (t) => {
  const bound = boundMemory(10 * 65_536);
  const memory = new WebAssembly.Memory({ initial: 1 });
  t.equal(memory.grow(9), 1);
  t.equal(bound.wasRefused(), false);
  t.throws(() => memory.grow(1), RangeError);
  t.equal(memory.buffer.byteLength, 10 * 65_536);
  t.equal(bound.wasRefused(), true);
  t.equal(bound.largestBytes(), 10 * 65_536);
});
