import { randomBytes } from "node:crypto";
import t from "tap";
import { newId } from "../../platform/new-id.ts";
import { createSignLink, linkKeyFrom } from "../../signing/sign-link.ts";

const link = createSignLink({ key: linkKeyFrom(Buffer.alloc(32, 1)), baseUrl: "https://sign.example.com" });
const signer = newId("signer");
const url = link.urlOf(signer);
const token = url.split("/").at(-1) ?? "";

t.test("a signer's link", async (t) => {
  t.test("is the same whenever it is made", async (t) => {
    t.equal(link.urlOf(signer), url);
    t.match(url, /^https:\/\/sign\.example\.com\/sign\/[0-9A-Za-z_-]{69}$/);
    t.equal(link.signerOf(token), signer);
  });

  t.test("opens nothing with one character changed, added or missing", async (t) => {
    for (let place = 0; place < token.length; place++) {
      const other = token[place] === "a" ? "b" : "a";
      t.equal(
        link.signerOf(token.slice(0, place) + other + token.slice(place + 1)),
        null,
        `character ${place}`,
      );
    }
    for (const wrong of ["", token.slice(1), `${token}A`, `${token}=`, token.toUpperCase(), "../../etc"]) {
      t.equal(link.signerOf(wrong), null, wrong);
    }
  });

  t.test("opens nothing under another key", async (t) => {
    const other = createSignLink({ key: randomBytes(32), baseUrl: "https://sign.example.com" });
    t.equal(other.signerOf(token), null);
  });
});
