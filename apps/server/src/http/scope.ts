import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { warnOfForwarded } from "./forwarded.ts";
import { type Metrics, timeRequests } from "./metrics.ts";

/** Adds the hooks of every route but the list of items to a scope. */
export function observeScope(
  scope: FastifyInstance,
  { config, metrics }: { config: Config; metrics: Metrics },
): void {
  if (config.trustProxy === false) warnOfForwarded(scope);
  timeRequests(scope, metrics);
}
