import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import t from "tap";

const root = resolve(import.meta.dirname, "..");
const services = ["gateway", "workers", "signing", "webhooks"];

type Arrow = { from: string; to: string };

/** Every import of the rooms: files by their path from the root, packages by their name. */
async function arrows(): Promise<Arrow[]> {
  const found: Arrow[] = [];
  for (const room of [...services, "platform"]) {
    const files = await readdir(join(root, room), { recursive: true });
    for (const file of files.filter((name) => name.endsWith(".ts") && !name.includes("built"))) {
      const path = join(room, file);
      const text = await readFile(join(root, path), "utf8");
      for (const [, target = ""] of text.matchAll(/(?:from|import|import\()\s*"([^"]+)"/g)) {
        const to = target.startsWith(".") ? relative(root, resolve(root, dirname(path), target)) : target;
        found.push({ from: path, to });
      }
    }
  }
  return found;
}

const isIn = (room: string) => (path: string) => path.startsWith(`${room}/`);

t.test("the rooms of the house", async (t) => {
  const all = await arrows();
  const forbidden = (breaks: (arrow: Arrow) => boolean) =>
    all.filter(breaks).map(({ from, to }) => `${from} -> ${to}`);

  t.ok(all.length > 100, "the arrows were found");

  t.test("no service imports another", async (t) => {
    const roomOf = (path: string) => services.find((room) => isIn(room)(path));
    t.same(
      forbidden(({ from, to }) => roomOf(to) !== undefined && roomOf(to) !== roomOf(from)),
      [],
    );
  });

  t.test("contracts import only zod and each other", async (t) => {
    const contracts = isIn("platform/contracts");
    t.same(
      forbidden(({ from, to }) => contracts(from) && to !== "zod" && !contracts(to)),
      [],
    );
  });

  t.test("one room touches each outside thing", async (t) => {
    const keepers: Record<string, RegExp> = {
      nats: /^platform\/(bus|streams)/,
      "@aws-sdk/client-s3": /^platform\/s3-blob-store/,
      got: /^platform\/|^webhooks\/|^signing\/seal\//,
      pino: /^platform\/log\.ts$/,
      ghostscript4js: /^workers\/ghostscript\//,
      koa: /^gateway\//,
    };
    t.same(
      forbidden(({ from, to }) => keepers[to]?.test(from) === false),
      [],
    );
  });

  t.test("only configuration reads the environment", async (t) => {
    const readers: string[] = [];
    for (const file of new Set(all.map(({ from }) => from))) {
      const text = await readFile(join(root, file), "utf8");
      // Handing PATH on to a child program is no configuration of ours.
      if (/process\.env(?!\.PATH)/.test(text) && !/(config|main|read-env|-command)\.ts$/.test(file))
        readers.push(file);
    }
    t.same(readers, []);
  });
});
