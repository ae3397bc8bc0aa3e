import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import type { Config } from "../config.ts";

/** Whether the machine at an address, so many hops away, may say for whom it speaks. */
export type TrustProxy = (address: string, hop: number) => boolean;

/** The proxies that a setting trusts. */
export function trustedProxies(setting: Config["trustProxy"]): TrustProxy {
  if (setting === false) return () => false;
  if (typeof setting === "number") return (_address, hop) => hop < setting;
  return proxyAddr.compile(setting.split(",").map((address) => address.trim()));
}

/** Finds the address of whoever sent a request, as Fastify does, for requests that Fastify does not see. */
export function clientAddress(trust: TrustProxy): (request: IncomingMessage) => string {
  return (request) => proxyAddr(request, trust);
}
