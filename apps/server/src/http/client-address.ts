import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddr from "@fastify/proxy-addr";
import type { Config } from "../config.ts";

const FORWARDED = "x-forwarded-for";

/** Whether to trust `X-Forwarded-For` from the machine at an address, this many hops away. */
export type TrustProxy = (address: string, hop: number) => boolean;

/** The proxies that the setting `TRUST_PROXY` trusts. */
export function trustedProxies(setting: Config["trustProxy"]): TrustProxy {
  if (setting === false) return () => false;
  if (typeof setting === "number") return (_address, hop) => hop < setting;
  return proxyAddr.compile(setting.split(",").map((address) => address.trim()));
}

/** Finds the client's address like Fastify does, for requests that do not go through Fastify. */
export function clientAddress(trust: TrustProxy): (request: IncomingMessage) => string {
  return (request) => {
    dropInvalidForwarded(request);
    return proxyAddr(request, trust);
  };
}

/**
 * Drops the last value of `X-Forwarded-For` that is not an IP address and all values before it,
 * which no trusted proxy set.
 */
export function dropInvalidForwarded({ headers }: IncomingMessage): void {
  const forwarded = headers[FORWARDED];
  if (forwarded === undefined) return;
  const values = String(forwarded)
    .split(",")
    .map((value) => value.trim());
  const invalid = values.findLastIndex((value) => isIP(value) === 0);
  headers[FORWARDED] = values.slice(invalid + 1).join(",");
}
