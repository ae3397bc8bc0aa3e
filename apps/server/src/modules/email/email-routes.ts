import {
  mailSettingsPatchSchema,
  mailSettingsSchema,
  paths,
  retriedEmailsSchema,
  testEmailAnswerSchema,
  testEmailRequestSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Database } from "../../platform/database/database.ts";
import { noFields, type Operation } from "../../platform/http/operation.ts";
import { get, post, put, route } from "../../platform/http/route.ts";
import { retryWaiting } from "../../platform/outbox/change-deliveries.ts";
import { MAIL_SERVER } from "../../platform/outbox/channel.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { SendTestEmail } from "./direct-emails.ts";
import type { MailSettings } from "./mail-settings.ts";

const notConfigured = new Refusal("mail_off", {
  detail: "The shop has no mail server or no sender: set both under Settings › Email.",
});

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

const getMailSettings = {
  operationId: "getMailSettings",
  summary: "Get sender and mail server",
  description:
    "The settings in use, without the password. The source `environment` stands for `MAIL_FROM` and `SMTP_URL`.",
  permission: "settings:manage",
  takes: noFields,
  answers: { 200: mailSettingsSchema },
} satisfies Operation;

const putMailSettings = {
  operationId: "putMailSettings",
  summary: "Change sender or mail server",
  description:
    "Stores the given settings, all or none, and keeps the others. `null` removes a setting. Before a mail server is stored, the shop connects to it and signs in: 409 mail_server_refused with its answer if that fails. The password is never returned, so a change of the server includes it. 422 for a setting that the environment sets. The next email of every process uses the change.",
  permission: "settings:manage",
  takes: z.object({ body: mailSettingsPatchSchema }),
  answers: { 200: mailSettingsSchema },
} satisfies Operation;

interface Options {
  readonly mailSettings: MailSettings;
  readonly sendTestEmail: SendTestEmail;
  readonly database: Database;
  readonly wakeOutbox: () => void;
}

export function emailRoutes(
  app: FastifyInstance,
  { mailSettings, sendTestEmail, database, wakeOutbox }: Options,
): void {
  const { sendsEmail } = mailSettings;
  route(app, post(paths.admin.testEmail), sendTestEmailOperation, async ({ body }) =>
    sendsEmail() ? sendTestEmail(body.to) : notConfigured,
  );
  route(app, post(paths.admin.emailsRetry), retryWaitingEmails, async () => {
    if (!sendsEmail()) return notConfigured;
    const retried = await database.inTransaction((unit) => {
      unit.afterCommit(wakeOutbox);
      return retryWaiting(unit, MAIL_SERVER.channels, database.now());
    });
    return { retried };
  });
  route(app, get(paths.admin.mailSettings), getMailSettings, async () => mailSettings.view());
  route(app, put(paths.admin.mailSettings), putMailSettings, ({ body }) =>
    mailSettings.change(body),
  );
}
