import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Failure } from "../../platform/contracts/failures.ts";

/** @throws Failure `rate_limited` */
export type CountLinkCall = (call: { token: string; ip: string }) => Promise<void>;

/** Calls a minute. An office full of signers may share an address; a person has one link. */
export type LinkLimits = { perToken: number; perAddress: number };
export const linkLimits: LinkLimits = { perToken: 120, perAddress: 1200 };

/**
 * Counts calls of the signing page, a gateway by itself: the tokens cannot be guessed, so this only keeps a flood
 * from costing much.
 */
export function createCountLinkCall({ perToken, perAddress }: LinkLimits): CountLinkCall {
  const byAddress = new RateLimiterMemory({ points: perAddress, duration: 60 });
  const byToken = new RateLimiterMemory({ points: perToken, duration: 60 });
  return async function countLinkCall({ token, ip }) {
    try {
      await byAddress.consume(ip);
      await byToken.consume(token);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      throw new Failure("rate_limited", `Too many calls for this link. Try again in ${seconds} s.`, {
        retryAfterSeconds: seconds,
      });
    }
  };
}
