import type { FastifyBaseLogger } from "fastify";
import { reasonOf } from "../errors.ts";
import type { Attempt } from "../outbox/channel.ts";
import { redacted } from "./faults-in-log.ts";

/** Logs once when the bus is disconnected and once when it has reconnected. */
export function logBusState(log: FastifyBaseLogger): (connected: boolean, error?: unknown) => void {
  let wasConnected = true;
  return (connected, error) => {
    if (connected === wasConnected) return;
    wasConnected = connected;
    if (connected) log.warn("the bus between the processes is connected again");
    else
      log.error(
        { why: reasonOf(error) },
        "the bus between the processes is disconnected; changes by other processes are read every 30 seconds",
      );
  };
}

/** Logs the start and the end of a mail server outage, once each. */
export function logMailState(log: FastifyBaseLogger) {
  return {
    onBegin: (why: string) =>
      log.error(
        { why: redacted(why) },
        "the mail server is not accepting email; waiting emails are sent when it recovers",
      ),
    onEnd: () => log.warn("the mail server accepts email again"),
  };
}

/** Logs that an email outside the outbox was not sent. It is not retried. */
export function logUnsent(log: FastifyBaseLogger, { kind, answer }: Attempt): void {
  if (kind !== "delivered")
    log.warn(
      { why: redacted(answer) },
      "a test email, an invitation or a sign-in link was not sent",
    );
}

/** Logs, at most once a minute, that the shared counters of the rate limits fail. */
export function logLimitFallback(log: FastifyBaseLogger): (error: unknown) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const LOG_INTERVAL = 60_000;
  return (error) => {
    if (performance.now() - loggedAt < LOG_INTERVAL) return;
    loggedAt = performance.now();
    log.warn(
      { why: reasonOf(error) },
      "the shared rate limits cannot be counted; each process counts by itself",
    );
  };
}
