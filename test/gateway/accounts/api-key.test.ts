import fc from "fast-check";
import t from "tap";
import { hashKey, isApiKey, newApiKey, shownParts } from "../../../gateway/accounts/api-key.ts";

t.test("every key has the promised form and is known as one", async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (random) => {
      const key = newApiKey(random);
      t.match(key, /^sk_live_[0-9A-Za-z]{49}$/);
      return isApiKey(key);
    }),
    { numRuns: 50 },
  );
});

t.test("a key with one wrong character is refused without a look-up", async (t) => {
  const key = newApiKey();
  for (let at = 0; at < key.length; at++) {
    const wrong = key.slice(0, at) + (key[at] === "x" ? "y" : "x") + key.slice(at + 1);
    t.notOk(isApiKey(wrong), wrong);
  }
  for (const text of ["", "sk_live_", key.slice(0, -1), `${key}0`, ` ${key}`]) t.notOk(isApiKey(text));
});

t.test("what is shown of a key is not the key", async (t) => {
  const key = newApiKey();
  t.same(shownParts(key), { prefix: key.slice(0, 12), lastFour: key.slice(-4) });
  t.match(hashKey(key), /^[0-9a-f]{64}$/);
});
