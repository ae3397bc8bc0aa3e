import { mailSettingsPatchSchema, mailSettingsSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation } from "../../platform/http/operation.ts";
import { sendProblem } from "../../platform/http/problems.ts";
import { route } from "../../platform/http/route.ts";
import type { MailSettings } from "./mail-settings.ts";

const getMailSettings = {
  operationId: "getMailSettings",
  summary: "Get sender and mail server",
  description:
    "Those in use, without the password. Those with the source `environment` come from `MAIL_FROM` and `SMTP_URL`.",
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

export function mailSettingsRoutes(app: FastifyInstance, settings: MailSettings): void {
  const path = paths.admin.mailSettings;
  route(app, { method: "GET", path }, getMailSettings, async () => settings.answer());
  route(app, { method: "PUT", path }, putMailSettings, async ({ body }, reply) => {
    const change = await settings.change(body);
    switch (change.kind) {
      case "stored":
        return settings.answer();
      case "invalid":
        return sendProblem(reply, "invalid", { errors: change.errors });
      case "refused":
        return sendProblem(reply, "mail_server_refused", {
          detail: `Nothing was stored. The mail server could not be used: ${change.answer}`,
        });
    }
  });
}
