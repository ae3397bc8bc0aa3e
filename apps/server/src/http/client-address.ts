import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import type { Config } from "../config.ts";

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
  return (request) => proxyAddr(request, trust);
}
