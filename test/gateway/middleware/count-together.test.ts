import t from "tap";
import { countTogether } from "../../../gateway/middleware/count-together.ts";

/** A store that counts when it is told to, and remembers how it was asked. */
function heldStore() {
  const asked: { key: string; points: number }[] = [];
  const held: (() => void)[] = [];
  const counts = new Map<string, number>();
  const consume = async (key: string, points: number) => {
    asked.push({ key, points });
    await new Promise<void>((resolve) => held.push(resolve));
    const consumedPoints = (counts.get(key) ?? 0) + points;
    counts.set(key, consumedPoints);
    return { consumedPoints, msBeforeNext: 1000 };
  };
  return { asked, consume, release: () => held.shift()?.() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

t.test("counting the calls of a busy account", async (t) => {
  t.test("asks once for all that came while it was counting, and tells each its own place", async (t) => {
    const store = heldStore();
    const count = countTogether(store.consume);
    const first = count("a");
    await settled();
    const others = [count("a"), count("a"), count("a")];
    store.release();
    await first;
    await settled();
    store.release();
    const places = (await Promise.all([first, ...others])).map(({ consumedPoints }) => consumedPoints);
    t.same(places, [1, 2, 3, 4]);
    t.same(
      store.asked.map(({ points }) => points),
      [1, 3],
    );
  });

  t.test("holds no account up for another", async (t) => {
    const store = heldStore();
    const count = countTogether(store.consume);
    const both = [count("a"), count("b")];
    await settled();
    t.same(
      store.asked.map(({ key }) => key),
      ["a", "b"],
    );
    store.release();
    store.release();
    t.same(
      (await Promise.all(both)).map(({ consumedPoints }) => consumedPoints),
      [1, 1],
    );
  });

  t.test("goes on after the store has failed", async (t) => {
    let fails = true;
    const count = countTogether(async (_key, points) => {
      if (fails) throw new Error("away");
      return { consumedPoints: points, msBeforeNext: 1000 };
    });
    await t.rejects(count("a"), { message: "away" });
    fails = false;
    t.equal((await count("a")).consumedPoints, 1);
  });
});
