import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { permission, plan } from "../../platform/contracts/http-api/envelope.ts";
import { type Database, migrate, openDatabase } from "../../platform/database.ts";
import { history } from "../migrations/history.ts";
import { changeAccount, createAccount, findAccount, listAccounts } from "./account-rows.ts";
import { createKey, listKeys, revokeKey } from "./key-rows.ts";

const usage = `npm run keys -- <command>

  accounts                                     every account
  account <name> [--plan business] [--limit 60]
                                               makes an account, or changes its plan (free, premium, business) and its
                                               calls a minute ("default" takes the service's own limit again)
  create <account> [--name "CI"] [--permissions pdf:process,signature:read] [--expires 2027-01-31]
                                               makes a key and shows it, this once
  list <account>                               the account's keys
  revoke <key id>                              refuses the key from now on, within 5 seconds everywhere

An account is named by its name or its id. They are where DATABASE_URL says, or in what npm start runs.
`;

const options = {
  plan: { type: "string" },
  limit: { type: "string" },
  name: { type: "string" },
  permissions: { type: "string" },
  expires: { type: "string" },
  help: { type: "boolean" },
} as const;
type Options = Partial<Record<Exclude<keyof typeof options, "help">, string>>;

type Command = (db: Database, subject: string, given: Options) => Promise<void>;

const commands: Record<string, Command> = {
  accounts: async (db) => {
    const accounts = await listAccounts(db);
    console.table(accounts.map((account) => ({ ...account, createdAt: account.createdAt.toISOString() })));
  },
  account: async (db, name, given) => {
    const changes = {
      ...(given.plan === undefined ? {} : { plan: plan.parse(given.plan) }),
      ...(given.limit === undefined ? {} : { rateLimitPerMinute: limitFrom(given.limit) }),
    };
    const known = await findAccount(db, name);
    if (known === null) {
      const { id } = await createAccount(db, { name, plan: "premium", ...changes });
      return say(`Made account ${id}.`);
    }
    await changeAccount(db, known.id, changes);
    say(`Changed account ${known.id}; in force within 5 seconds.`);
  },
  create: async (db, subject, given) => {
    const account = await accountNamed(db, subject);
    const { id, secret } = await createKey(db, {
      accountId: account.id,
      name: given.name ?? "made on the command line",
      ...(given.permissions === undefined
        ? {}
        : { permissions: z.array(permission).min(1).parse(given.permissions.split(",")) }),
      expiresAt: given.expires === undefined ? null : z.coerce.date().parse(given.expires),
    });
    say(`${id}\n${secret}\nKeep it now: it is shown this once.`);
  },
  list: async (db, subject) => {
    const account = await accountNamed(db, subject);
    const keys = await listKeys(db, account.id);
    console.table(
      keys.map(({ id, name, prefix, lastFour, permissions, expiresAt, lastUsedAt, revokedAt }) => ({
        id,
        name,
        key: `${prefix}…${lastFour}`,
        permissions: permissions.join(" "),
        expires: expiresAt?.toISOString() ?? "never",
        lastUsed: lastUsedAt?.toISOString() ?? "never",
        revoked: revokedAt?.toISOString() ?? "no",
      })),
    );
  },
  revoke: async (db, id) => {
    if (!(await revokeKey(db, id, new Date()))) throw new Error(`There is no key ${id} in force.`);
    say(`Revoked ${id}.`);
  },
};

async function accountNamed(db: Database, subject: string) {
  const account = await findAccount(db, subject);
  if (account === null) throw new Error(`There is no account ${JSON.stringify(subject)}.`);
  return account;
}

function limitFrom(given: string): number | null {
  return given === "default" ? null : z.coerce.number().int().positive().parse(given);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A private server has another port at every start, which `npm start` writes down beside its data. */
async function databaseUrl(): Promise<string> {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  return readFile(join(process.env.DATA_DIR || ".data", "database-url"), "utf8").catch(() => {
    throw new Error(
      "DATABASE_URL is missing; set it to the MySQL server, or start the service with npm start.",
    );
  });
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [name = "", subject = ""] = positionals;
  const command = commands[name];
  if (command === undefined || (subject === "" && name !== "accounts")) return say(usage);
  const db = await openDatabase({ url: await databaseUrl(), service: "gateway", poolSize: 2 });
  try {
    await migrate(db, history);
    await command(db, subject, values);
  } finally {
    await db.destroy();
  }
}

await run().catch((error) => {
  process.stderr.write(`${error instanceof z.ZodError ? z.prettifyError(error) : error.message}\n`);
  process.exitCode = 1;
});
