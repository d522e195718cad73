import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import t from "tap";
import { openBlobStore } from "../../../platform/blob-store.ts";
import { formatId } from "../../../platform/contracts/ids.ts";
import { migrate, openDatabase } from "../../../platform/database.ts";
import { newId } from "../../../platform/new-id.ts";
import { removeOld } from "../../../webhooks/log/remove-old.ts";
import { history } from "../../../webhooks/migrations/history.ts";
import { ownFolder, startMysql } from "../../support/start-servers.ts";

const day = 24 * 3600_000;
const now = new Date();

t.test("after 30 days", async (t) => {
  const { url } = await startMysql(t);
  const db = await openDatabase({ url, service: "webhooks", poolSize: 2 });
  t.teardown(() => db.destroy());
  await migrate(db, history);
  const blobs = await openBlobStore(pathToFileURL(await ownFolder(t)).href);

  /** An event of that age with one delivery, one attempt and its body in a blob. */
  async function recorded(ageDays: number) {
    const at = new Date(now.getTime() - ageDays * day);
    const id = formatId("event", at.getTime(), Buffer.from(newId("event").slice(-10)));
    const blob = await blobs.put({ kind: "events", id }, Readable.from([Buffer.from("{}")]));
    const deliveryId = newId("delivery");
    await db("events").insert({
      ...{ id, account_id: "acc_1", type: "pdf.ocr.completed", occurred_at: at, recorded_at: at },
      ...{ blob_key: blob.key, blob_size: blob.size },
    });
    await db("deliveries").insert({
      ...{ id: deliveryId, endpoint_id: newId("webhook"), event_id: id, sequence: 1 },
      ...{ status: "delivered", created_at: at },
    });
    await db("attempts").insert({
      ...{ delivery_id: deliveryId, number: 1, started_at: at, duration_ms: 1, outcome: "delivered" },
    });
    return { id, blob };
  }

  const old = await recorded(30.01);
  const young = await recorded(29.9);
  t.equal(await removeOld({ db, blobs, now }), 1);

  t.test("an event is gone with its deliveries, its attempts and its body", async (t) => {
    t.same(await db("events").pluck("id"), [young.id]);
    t.same(await db("deliveries").pluck("event_id"), [young.id]);
    t.same(await db("attempts").count({ n: "*" }), [{ n: 1 }]);
    await t.rejects(blobs.read(old.blob).toArray());
  });

  t.test("and a younger one is whole", async (t) => {
    t.equal(Buffer.concat(await blobs.read(young.blob).toArray()).toString(), "{}");
  });

  t.test("the tables can be taken down and built again", async (t) => {
    for (const { down } of [...history].reverse()) await down(db);
    for (const { up } of history) await up(db);
    t.same(await db("events").pluck("id"), []);
  });
});
