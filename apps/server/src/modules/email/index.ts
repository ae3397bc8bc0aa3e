import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { MailConfig } from "../../config/mail-config.ts";
import { redacted } from "../../platform/observability/redaction.ts";
import { type Attempt, MAIL } from "../../platform/outbox/channel.ts";
import { createOutages, readServiceState } from "../../platform/outbox/outages.ts";
import type { Platform } from "../../platform/platform.ts";
import type { OrderKeys } from "../orders/index.ts";
import type { ShopSettingsReader } from "../settings/index.ts";
import { createDirectEmails } from "./direct-emails.ts";
import { createMailChannels } from "./email-channels.ts";
import { emailRoutes } from "./email-routes.ts";
import { createIsMailServerUsable, createSendMail } from "./smtp.ts";

interface Dependencies {
  /** `undefined` if the shop sends no email. */
  readonly config: MailConfig | undefined;
  readonly shopSettings: ShopSettingsReader;
  readonly keyOf: OrderKeys["keyOf"];
  /** The origins of storefront and admin. */
  readonly publicUrl: string;
  readonly adminUrl: string | undefined;
}

export type Email = ReturnType<typeof createEmail>;

/** Email to customers and staff: two channels of the outbox, and emails that bypass it. */
export function createEmail(platform: Platform, dependencies: Dependencies) {
  const { database, outbox } = platform;
  const mail = dependencies.config && createMail(platform, dependencies.config, dependencies);
  return {
    /** These are `undefined` if the shop sends no email. */
    sendInvitation: mail?.sendInvitation,
    sendSignInEmail: mail?.sendSignInEmail,
    adminRoutes: (app: FastifyInstance) =>
      emailRoutes(app, { sendTestEmail: mail?.sendTestEmail, database, wakeOutbox: outbox.wake }),
    workers: mail === undefined ? [] : [mail.outages],
  };
}

function createMail(
  { database, newId, log, onError, outbox, metrics }: Platform,
  config: MailConfig,
  { shopSettings, keyOf, publicUrl, adminUrl }: Dependencies,
) {
  const sendMail = createSendMail(config.server);
  const outages = createOutages({
    database,
    ...MAIL,
    ...logOutages(log),
    wake: outbox.wake,
    onError,
    isUsable: createIsMailServerUsable(config.server),
  });
  const channels = createMailChannels({
    config,
    sendMail,
    database,
    shopSettings,
    keyOf,
    publicUrl,
    adminUrl,
  });
  for (const channel of channels) outbox.addChannel(outages.observe(channel));
  metrics.gauge(
    "keepsats_mail_server_up",
    "Whether the mail server accepted the last email of any process",
    async () => Number((await readServiceState(database.db, MAIL.service)) !== "away"),
  );
  const directEmails = createDirectEmails({
    config,
    sendMail,
    newId,
    shopSettings,
    onResult(result) {
      outages.note(result);
      logUnsent(log, result);
    },
  });
  return { outages, ...directEmails };
}

/** Logs the start and the end of an outage of the mail server, once each. */
function logOutages(log: FastifyBaseLogger) {
  return {
    onBegin: (why: string) =>
      log.error(
        { why: redacted(why) },
        "the mail server is not accepting email; waiting emails are sent when it recovers",
      ),
    onEnd: () => log.warn("the mail server accepts email again"),
  };
}

function logUnsent(log: FastifyBaseLogger, { kind, answer }: Attempt): void {
  if (kind !== "delivered")
    log.warn(
      { why: redacted(answer) },
      "a test email, an invitation or a sign-in link was not sent",
    );
}
