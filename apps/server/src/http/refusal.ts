import { type Limit, network } from "../limits/limit.ts";

/**
 * What is refused because it is too much for one address: orders in a minute, sockets opened in a minute, sockets open
 * at a time, requests with a wrong token; and each single wrong token.
 */
export const refusals = ["orders", "sockets", "open-sockets", "tokens", "wrong-token"] as const;
export type Refusal = (typeof refusals)[number];

/** Hears that something was refused to an address, or to a network of IPv6. */
export type OnRefused = (kind: Refusal, network: string) => void;

/** A limit that tells whenever it is reached. */
export function heardLimit(limit: Limit, kind: Refusal, onRefused: OnRefused): Limit {
  return async (address) => {
    const retryAfter = await limit(address);
    if (retryAfter !== undefined) onRefused(kind, network(address));
    return retryAfter;
  };
}
