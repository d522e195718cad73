import { Readable } from "node:stream";
import fc from "fast-check";
import t from "tap";
import { pathText } from "../../../gateway/ingest/file-places.ts";
import { scanJson } from "../../../gateway/ingest/scan-json.ts";
import { Failure } from "../../../platform/contracts/failures.ts";

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
}

type Taken = { path: string; text: string };

/** Scans a document whose files are at `pdf_base64` and `files[].pdf_base64`; each file becomes `file:<its text>`. */
async function scan(text: string, size = 7, maxBytes = 10_000) {
  const taken: Taken[] = [];
  const document = await scanJson(inPieces(text, size), {
    isFile: (path) => /^(files\[\d+\]\.)?pdf_base64$/.test(pathText(path)),
    takeFile: async (path, pieces) => {
      let content = "";
      for (let next = await pieces.next(); next.done !== true; next = await pieces.next())
        content += next.value.toString("latin1");
      taken.push({ path: pathText(path), text: content });
      return `file:${content}`;
    },
    maxBytes,
  });
  return { document, taken };
}

async function failureOf(text: string, size?: number): Promise<string> {
  const error = await scan(text, size).catch((thrown) => thrown);
  return error instanceof Failure ? error.code : `no failure: ${JSON.stringify(error)}`;
}

t.test("a document is read as JSON.parse reads it, with its files in their places", async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.json(),
      fc.integer({ min: 1, max: 20 }),
      fc.base64String(),
      async (json, size, file) => {
        const text = `{"a":${json}, "pdf_base64" : "${file}","files":[{},{"b":"]}","pdf_base64":"${file}"}]}`;
        const { document } = await scan(text, size);
        t.same(document, {
          a: JSON.parse(json),
          pdf_base64: `file:${file}`,
          files: [{}, { b: "]}", pdf_base64: `file:${file}` }],
        });
      },
    ),
    { numRuns: 100 },
  );
});

t.test("escapes that languages write into base64 are understood, also across pieces", async (t) => {
  const text = String.raw`{"pdf_base64":"A\/B\u002bC\nD\u002F"}`;
  for (let size = 1; size < 12; size++) {
    const { taken } = await scan(text, size);
    t.same(taken, [{ path: "pdf_base64", text: "A/B+C\nD/" }]);
  }
});

t.test("a name written with escapes is the same name", async (t) => {
  t.same((await scan(String.raw`{"pdf\u005fbase64":"AAAA"}`)).taken, [{ path: "pdf_base64", text: "AAAA" }]);
});

t.test("strings elsewhere are no files, whatever they are called", async (t) => {
  const text =
    '{"x":{"pdf_base64":"AAAA"},"files":["pdf_base64",{"files":[{"pdf_base64":"B"}]}],"y":"{\\"pdf_base64\\":\\"C\\"}"}';
  const { document, taken } = await scan(text);
  t.same(taken, []);
  t.same(document, JSON.parse(text));
});

t.test("a document that is broken, ends early or says a thing twice is refused", async (t) => {
  const broken = [
    "",
    "{",
    '{"pdf_base64":"AAAA',
    '{"pdf_base64":"AAAA"',
    '{"pdf_base64" "AAAA"}',
    '{"pdf_base64":"A\\x"}',
    '{"pdf_base64":"A\\u00g0"}',
    '{"pdf_base64":"AAAA"}}',
    '{"pdf_base64":"AAAA"} x',
    '{"pdf_base64":1 "AAAA"}',
    '["pdf_base64":"AAAA"]',
    '{"a":1,}',
    '{"a":tru}',
    '{"a":1,"a":2}',
    '{"pdf_base64":"AAAA","pdf\\u005fbase64":"BBBB"}',
    `${"[".repeat(65)}${"]".repeat(65)}`,
    "not json",
  ];
  for (const text of broken)
    for (const size of [1, 3, 1000])
      t.equal(await failureOf(text, size), "invalid_json", `${text} by ${size}`);
  const latin1 = scanJson(Readable.from([Buffer.from([0x22, 0xff, 0x22])]), {
    isFile: () => false,
    takeFile: async () => null,
    maxBytes: 100,
  });
  await t.rejects(latin1, { code: "invalid_json" }, "text that is not UTF-8");
});

t.test("what stands beside the files is bounded, the files are not", async (t) => {
  t.equal(await failureOf(`{"a":"${"x".repeat(20_000)}"}`, 1000), "body_too_large");
  const { taken } = await scan(`{"pdf_base64":"${"A".repeat(200_000)}"}`, 1000);
  t.equal(taken[0]?.text.length, 200_000);
});

t.test("a file that is given up half-way does not disturb what follows", async (t) => {
  const document = await scanJson(inPieces('{"pdf_base64":"AAAA\\"BBBB","after":1}', 3), {
    isFile: (path) => path.length === 1 && path[0] === "pdf_base64",
    takeFile: async (_path, pieces) => {
      await pieces.next();
      return null;
    },
    maxBytes: 1000,
  });
  t.same(document, { pdf_base64: null, after: 1 });
});
