import t from "tap";
import { matches } from "../../../webhooks/recording/match.ts";

const signed = "signature_request.signed";
const compressed = "pdf.compress.completed";

t.test("which webhook gets which event", async (t) => {
  for (const [promise, subscription, event, expected] of [
    [
      "an untagged webhook gets untagged requests",
      { events: [signed], tag: null },
      { type: signed, tag: null },
      true,
    ],
    [
      "an untagged webhook gets tagged requests",
      { events: [signed], tag: null },
      { type: signed, tag: "eu" },
      true,
    ],
    ["a tagged webhook gets its tag", { events: [signed], tag: "eu" }, { type: signed, tag: "eu" }, true],
    [
      "a tagged webhook gets no other tag",
      { events: [signed], tag: "eu" },
      { type: signed, tag: "us" },
      false,
    ],
    ["tags differ by case", { events: [signed], tag: "eu" }, { type: signed, tag: "EU" }, false],
    [
      "a tagged webhook gets no untagged request",
      { events: [signed], tag: "eu" },
      { type: signed, tag: null },
      false,
    ],
    [
      "a tagged webhook gets no job",
      { events: [compressed], tag: "eu" },
      { type: compressed, tag: null },
      false,
    ],
    [
      "an untagged webhook gets jobs that it names",
      { events: [compressed], tag: null },
      { type: compressed, tag: null },
      true,
    ],
    [
      "nobody gets what they did not name",
      { events: [compressed], tag: null },
      { type: signed, tag: null },
      false,
    ],
  ] as const) {
    t.equal(matches(subscription, event), expected, promise);
  }
});
