import t from "tap";
import { createCountLinkCall } from "../../../gateway/sign/link-limit.ts";

t.test("a flood of calls for signing links is refused", async (t) => {
  const count = createCountLinkCall({ perToken: 2, perAddress: 4 });
  const call = (token: string, ip = "192.0.2.1") => count({ token, ip });

  t.test("by the link, whoever calls", async (t) => {
    await call("a", "192.0.2.2");
    await call("a", "192.0.2.3");
    await t.rejects(call("a", "192.0.2.4"), { code: "rate_limited", retryAfterSeconds: Number });
  });

  t.test("by the address, whatever the link", async (t) => {
    for (const token of ["b", "c", "d", "e"]) await call(token);
    await t.rejects(call("f"), { code: "rate_limited" });
    await t.resolves(call("f", "192.0.2.9"), "others are not held up");
  });
});
