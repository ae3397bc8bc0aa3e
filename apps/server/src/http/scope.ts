import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { warnOfForwarded } from "./forwarded.ts";
import { type Metrics, timeRequests } from "./metrics.ts";
import { securityHeaders } from "./security-headers.ts";

/** Gives a scope everything that a request goes through before its route: headers, timing. */
export async function guardScope(
  scope: FastifyInstance,
  { config, metrics }: { config: Config; metrics: Metrics },
): Promise<void> {
  if (config.trustProxy === false) warnOfForwarded(scope);
  timeRequests(scope, metrics);
  await scope.register(helmet, securityHeaders(config));
}
