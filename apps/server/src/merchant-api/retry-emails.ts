import { paths, retriedEmailsSchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { noFields, type Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import { MAIL } from "../outbox/channel.ts";
import { retryWaiting } from "../outbox/retry-waiting.ts";

const operation = {
  operationId: "retryWaitingEmails",
  summary: "Retry waiting emails now",
  description:
    "Retries the emails whose last attempt failed, for example after an outage of the mail server. They are sent at the shop's usual rate. 409 if no mail is configured.",
  tag: "merchant",
  permission: "deliveries:manage",
  takes: noFields,
  answers: { 200: retriedEmailsSchema },
} satisfies Operation;

interface Options {
  readonly config: Pick<Config, "mail">;
  readonly database: Database;
  /** Starts the search for due deliveries immediately. */
  readonly wakeOutbox: () => void;
}

export function retryEmailsRoute(
  app: FastifyInstance,
  { config, database, wakeOutbox }: Options,
): void {
  const place = { method: "POST", path: paths.merchant.emailsRetry } as const;
  route(app, place, operation, async (_, reply) => {
    if (config.mail === undefined)
      return sendProblem(reply, "mail_off", { detail: "SMTP_URL and MAIL_FROM are not set." });
    const retried = await database.inTransaction((unit) => {
      unit.afterCommit(wakeOutbox);
      return retryWaiting(unit, MAIL.channels, database.now());
    });
    return { retried };
  });
}
