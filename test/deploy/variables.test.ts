import { readFile } from "node:fs/promises";
import t from "tap";
import { services } from "../../deploy/system.ts";

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
const namesIn = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, name = ""]) => name);

t.test("the variables of the services", async (t) => {
  const known = new Map<string, string[]>();
  for (const service of services)
    known.set(service, namesIn(await read(`${service}/config.ts`), /^ {4}([A-Z][A-Z0-9_]*): variable\(/gm));
  const listed = namesIn(await read("deploy/.env.example"), /^([A-Z][A-Z0-9_]*)=/gm);

  t.test("are listed in .env.example, every one and none besides", async (t) => {
    t.same([...new Set(listed)].sort(), [...new Set([...known.values()].flat())].sort());
  });

  t.test("let each service listen where health checks of a container reach it", async (t) => {
    const image = namesIn((await read("deploy/Dockerfile")).replaceAll(" ", "\n"), /^([A-Z_]+)=/gm);
    t.ok(image.includes("HOST"));
    for (const [service, names] of known) t.ok(names.includes("HOST"), service);
  });
});
