import type { FastifyBaseLogger } from "fastify";
import { reasonOf } from "./reason.ts";

/** Logs when the bus between the processes breaks and when it is there again. */
export function hearBus(log: FastifyBaseLogger): (connected: boolean, error?: unknown) => void {
  let known = true;
  return (connected, error) => {
    if (connected === known) return;
    known = connected;
    if (connected) log.warn("the bus between the processes is there again");
    else
      log.error(
        { why: reasonOf(error) },
        "the bus between the processes is away; changes of others are read every 30 seconds",
      );
  };
}

/** Logs, once, that the shared rate limits cannot be counted. */
export function hearLimits(log: FastifyBaseLogger): (error: unknown) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  const SELDOM = 60_000;
  return (error) => {
    if (performance.now() - toldAt < SELDOM) return;
    toldAt = performance.now();
    log.warn(
      { why: reasonOf(error) },
      "the shared rate limits cannot be counted; each process counts for itself",
    );
  };
}
