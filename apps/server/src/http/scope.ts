import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { warnOfForwarded } from "./forwarded.ts";
import { type Metrics, timeRequests } from "./metrics.ts";
import { securityHeaders } from "./security-headers.ts";

/** Adds the hooks of every route to a scope: security headers and timing. */
export async function guardScope(
  scope: FastifyInstance,
  { config, metrics }: { config: Config; metrics: Metrics },
): Promise<void> {
  if (config.trustProxy === false) warnOfForwarded(scope);
  timeRequests(scope, metrics);
  await scope.register(helmet, securityHeaders(config));
}
