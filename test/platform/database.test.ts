import t from "tap";
import { openDatabase } from "../../platform/database.ts";
import { startMysql } from "../support/start-servers.ts";

t.test(
  "a database that cannot be reached is told by its error alone, not on lines between those of the log",
  async (t) => {
    const mysql = await startMysql(t);
    const db = await openDatabase({ url: mysql.url, service: "gateway" });
    t.teardown(() => db.destroy());
    await mysql.process.stop();
    const printed = [t.capture(console, "log"), t.capture(console, "warn"), t.capture(console, "error")];
    await t.rejects(async () => db.raw("SELECT 1"), { code: "ECONNREFUSED" });
    t.same(
      printed.flatMap((calls) => calls()),
      [],
    );
  },
);
