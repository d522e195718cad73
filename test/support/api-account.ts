import type { Test } from "tap";
import { createAccount } from "../../gateway/accounts/account-rows.ts";
import { createKey } from "../../gateway/accounts/key-rows.ts";
import type { Permission, Plan } from "../../platform/contracts/http-api/envelope.ts";
import { openDatabase } from "../../platform/database.ts";
import type { TestSystem } from "./start-system.ts";

export type ApiAnswer = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of a body
  body: any;
};

export type ApiAccount = {
  accountId: string;
  key: string;
  /** A call with the account's key. A body goes as JSON. */
  call: (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<ApiAnswer>;
};

type Options = { plan?: Plan; permissions?: readonly Permission[] };

/** An account of the test's own, with a key, and calls in its name. */
export async function openApiAccount(
  t: Test,
  system: TestSystem,
  { plan = "business", permissions }: Options = {},
): Promise<ApiAccount> {
  const db = await openDatabase({ url: system.databaseUrl, service: "gateway", poolSize: 1 });
  t.teardown(() => db.destroy());
  const account = await createAccount(db, { name: `Test ${Math.random()}`, plan });
  const { secret: key } = await createKey(db, {
    accountId: account.id,
    name: "test",
    ...(permissions === undefined ? {} : { permissions }),
  });
  return {
    accountId: account.id,
    key,
    call: (method, path, body, headers = {}) =>
      callApi(system.baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

/** A call without a key. */
export async function callApi(url: string, init: RequestInit = {}): Promise<ApiAnswer> {
  const response = await fetch(url, init);
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const body = isJson ? await response.json() : Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body };
}
