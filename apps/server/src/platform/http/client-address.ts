import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddr from "@fastify/proxy-addr";
import type { FastifyInstance } from "fastify";
import type { Config } from "../../config/config.ts";

const FORWARDED = "x-forwarded-for";

/** Whether to trust `X-Forwarded-For` from an address that is this many hops away. */
export type TrustProxy = (address: string, hop: number) => boolean;

export function trustedProxies(setting: Config["trustProxy"]): TrustProxy {
  if (setting === false) return () => false;
  if (typeof setting === "number") return (_address, hop) => hop < setting;
  return proxyAddr.compile(setting.split(",").map((address) => address.trim()));
}

/** Finds the client's address like Fastify, for requests that bypass Fastify. */
export function clientAddress(trust: TrustProxy): (request: IncomingMessage) => string {
  return (request) => {
    dropInvalidForwarded(request);
    return proxyAddr(request, trust);
  };
}

/**
 * Drops the last value of `X-Forwarded-For` that is not an IP address, and all values before it: no
 * trusted proxy has set them.
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

/** Logs one warning if requests come through a proxy while `TRUST_PROXY` is off. */
export function warnOfIgnoredProxy(app: FastifyInstance, setting: Config["trustProxy"]): void {
  if (setting !== false) return;
  let hasWarned = false;
  app.addHook("onRequest", async (request) => {
    if (hasWarned || request.headers[FORWARDED] === undefined) return;
    hasWarned = true;
    request.log.warn(
      "requests carry X-Forwarded-For, which is ignored: set TRUST_PROXY, or all customers behind the proxy share one rate limit",
    );
  });
}
