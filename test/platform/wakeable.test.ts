import t from "tap";
import { wakeable } from "../../platform/wakeable.ts";

const longMs = 3600_000;
const unexpected = (error: unknown) => {
  throw error;
};

t.test("work that can be woken", async (t) => {
  t.test("gathers what wakes it at the same time, and does it in one go", async (t) => {
    let rounds = 0;
    const done = Promise.withResolvers<void>();
    const work = async () => {
      rounds += 1;
      done.resolve();
    };
    const woken = wakeable(work, longMs, unexpected, 20);
    for (let count = 0; count < 5; count += 1) woken.wake();
    t.equal(rounds, 0, "it waits for others");
    await done.promise;
    await woken.stop();
    t.equal(rounds, 1);
  });

  t.test("does not miss what wakes it while it works", async (t) => {
    let rounds = 0;
    const twice = Promise.withResolvers<void>();
    const work = async () => {
      rounds += 1;
      if (rounds === 1) woken.wake();
      else twice.resolve();
    };
    const woken = wakeable(work, longMs, unexpected, 5);
    woken.wake();
    await twice.promise;
    await woken.stop();
    t.equal(rounds, 2);
  });

  t.test("does nothing more once it is stopped, whether or not it was gathering", async (t) => {
    let rounds = 0;
    const work = async () => {
      rounds += 1;
    };
    const woken = wakeable(work, longMs, unexpected, 5);
    woken.wake();
    await woken.stop();
    woken.wake();
    await new Promise((resolve) => setTimeout(resolve, 15));
    t.equal(rounds, 0);
  });
});
