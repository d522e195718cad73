import knexModule, { type Knex } from "knex";

export type Database = Knex;
export type Transaction = Knex.Transaction;
export type Migration = {
  name: string;
  up: (db: Knex) => Promise<unknown>;
  down: (db: Knex) => Promise<unknown>;
};

type Options = {
  /** `mysql://user:password@host:port/prefix`: the service's own database is `<prefix>_<service>`. */
  url: string;
  service: string;
  poolSize?: number;
};

/** The service's database, made if it is missing. Times are UTC, text is utf8mb4, dates are exact to the millisecond. */
export async function openDatabase({ url, service, poolSize = 10 }: Options): Promise<Database> {
  const address = new URL(url);
  const name = `${address.pathname.slice(1) || "pdf"}_${service}`;
  if (!/^[A-Za-z0-9_]+$/.test(name))
    throw new Error("the path of DATABASE_URL may only hold letters, digits and _");
  const connection = {
    host: address.hostname,
    port: Number(address.port || 3306),
    user: decodeURIComponent(address.username),
    password: decodeURIComponent(address.password),
    timezone: "Z",
    charset: "utf8mb4",
    supportBigNumbers: true,
  };
  const server = knexModule({ client: "mysql2", connection, pool: { min: 0, max: 1 } });
  await server
    .raw(`CREATE DATABASE IF NOT EXISTS \`${name}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`)
    .finally(() => server.destroy());
  return knexModule({
    client: "mysql2",
    connection: { ...connection, database: name },
    log: silent,
    acquireConnectionTimeout: 10_000,
    pool: {
      min: 0,
      max: poolSize,
      afterCreate: prepareSession,
    },
  });
}

/** Knex prints what it throws as well, on lines of its own between those of our log. */
const silent = { warn: () => undefined, error: () => undefined };

type RawConnection = { query: (sql: string, done: (error: unknown) => void) => void };

/** READ COMMITTED: a conditional UPDATE must judge the newest row, and gap locks would only make deadlocks. */
function prepareSession(raw: RawConnection, done: (error: unknown, raw: RawConnection) => void): void {
  raw.query("SET time_zone='+00:00'", (failed) => {
    if (failed) return done(failed, raw);
    raw.query("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", (error) => done(error, raw));
  });
}

/**
 * Brings the tables to the newest migration. Any number of processes may start at once: they take turns by a named
 * lock of the server, since knex's own lock refuses the second instead of letting it wait.
 */
export async function migrate(db: Database, history: readonly Migration[]): Promise<void> {
  const client = db.client as { config: { connection: { database: string } } };
  const lock = `migrate:${client.config.connection.database}`.slice(0, 64);
  await db.transaction(async (holder) => {
    await holder.raw("SELECT GET_LOCK(?, 60)", [lock]);
    try {
      await db.migrate.latest({ migrationSource: sourceOf(history), disableMigrationsListValidation: true });
    } finally {
      await holder.raw("SELECT RELEASE_LOCK(?)", [lock]);
    }
  });
}

/** For knex: the migrations of `history`, in its order, by their names. */
export function sourceOf(history: readonly Migration[]): Knex.MigrationSource<Migration> {
  return {
    getMigrations: async () => [...history],
    getMigrationName: (migration) => migration.name,
    getMigration: async ({ up, down }) => ({ up, down }),
  };
}
