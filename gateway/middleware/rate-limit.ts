import { RateLimiterMemory, RateLimiterMySQL, type RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "../../platform/database.ts";

/** What is left of an account's minute after a call. */
export type RateState = { limit: number; remaining: number; resetSeconds: number; exceeded: boolean };

/** Counts a call. `limit` is the account's own, null for the default. */
export type CountCall = (accountId: string, limit: number | null) => Promise<RateState>;

const windowSeconds = 60;
/** The library compares with one number for all; accounts have their own, so its number is out of reach. */
const beyondReach = 1_000_000_000;

/**
 * Counts calls an account in windows of a minute, in MySQL for all gateways together; in memory, a gateway by
 * itself, while MySQL is away.
 */
export function createCountCall(db: Database, defaultLimit: number): CountCall {
  const { database } = (db.client as { config: { connection: { database: string } } }).config.connection;
  const common = { points: beyondReach, duration: windowSeconds, keyPrefix: "account" };
  const limiter = new RateLimiterMySQL({
    ...common,
    storeClient: db,
    storeType: "knex",
    dbName: database,
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: true,
    insuranceLimiter: new RateLimiterMemory(common),
  });
  return async function countCall(accountId, ownLimit) {
    const limit = ownLimit ?? defaultLimit;
    const { consumedPoints, msBeforeNext }: RateLimiterRes = await limiter.consume(accountId);
    return {
      limit,
      remaining: Math.max(0, limit - consumedPoints),
      resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      exceeded: consumedPoints > limit,
    };
  };
}
