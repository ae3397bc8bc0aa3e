import {
  paths,
  retriedEmailsSchema,
  testEmailAnswerSchema,
  testEmailRequestSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Database } from "../../platform/database/database.ts";
import { noFields, type Operation } from "../../platform/http/operation.ts";
import { sendProblem } from "../../platform/http/problems.ts";
import { route } from "../../platform/http/route.ts";
import { retryWaiting } from "../../platform/outbox/change-deliveries.ts";
import { MAIL_SERVER } from "../../platform/outbox/channel.ts";
import type { SendTestEmail } from "./direct-emails.ts";

const NOT_CONFIGURED = "The shop has no mail server or no sender: set both under Settings › Email.";

const sendTestEmailOperation = {
  operationId: "sendTestEmail",
  summary: "Send a test email",
  description: "Sent once, without retries. 409 if the shop sends no email.",
  permission: "emails:test",
  takes: z.object({ body: testEmailRequestSchema }),
  answers: { 200: testEmailAnswerSchema },
} satisfies Operation;

const retryWaitingEmails = {
  operationId: "retryWaitingEmails",
  summary: "Retry waiting emails now",
  description:
    "Retries the emails whose last attempt failed, for example after an outage of the mail server. They are sent at the shop's usual rate. 409 if the shop sends no email.",
  permission: "deliveries:manage",
  takes: noFields,
  answers: { 200: retriedEmailsSchema },
} satisfies Operation;

interface Options {
  readonly sendsEmail: () => boolean;
  readonly sendTestEmail: SendTestEmail;
  readonly database: Database;
  readonly wakeOutbox: () => void;
}

export function emailRoutes(
  app: FastifyInstance,
  { sendsEmail, sendTestEmail, database, wakeOutbox }: Options,
): void {
  const { testEmail, emailsRetry } = paths.admin;
  route(
    app,
    { method: "POST", path: testEmail },
    sendTestEmailOperation,
    async ({ body }, reply) => {
      if (!sendsEmail()) return sendProblem(reply, "mail_off", { detail: NOT_CONFIGURED });
      const { isAccepted: accepted, answer } = await sendTestEmail(body.to);
      return { accepted, answer };
    },
  );
  route(app, { method: "POST", path: emailsRetry }, retryWaitingEmails, async (_input, reply) => {
    if (!sendsEmail()) return sendProblem(reply, "mail_off", { detail: NOT_CONFIGURED });
    const retried = await database.inTransaction((unit) => {
      unit.afterCommit(wakeOutbox);
      return retryWaiting(unit, MAIL_SERVER.channels, database.now());
    });
    return { retried };
  });
}
