import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { MailEnvironment } from "../../config/mail-config.ts";
import { redact } from "../../platform/observability/redaction.ts";
import { type AttemptResult, MAIL_SERVER } from "../../platform/outbox/channel.ts";
import { createOutages, readServiceState } from "../../platform/outbox/outages.ts";
import type { Platform } from "../../platform/platform.ts";
import type { OrderKeys } from "../orders/index.ts";
import type { ShopSettingsReader } from "../settings/index.ts";
import { createDirectEmails } from "./direct-emails.ts";
import { createEmailChannels } from "./email-channels.ts";
import { emailRoutes } from "./email-routes.ts";
import { createMailSettings } from "./mail-settings.ts";
import { createSend } from "./send.ts";

interface Dependencies {
  readonly environment: MailEnvironment;
  readonly shopSettings: ShopSettingsReader;
  readonly keyOf: OrderKeys["keyOf"];
  /** The origins of storefront and admin. */
  readonly publicUrl: string;
  readonly adminUrl: string | undefined;
}

export type Email = Awaited<ReturnType<typeof createEmail>>;

/** Email to customers and staff: two channels of the outbox, and emails that bypass it. */
export async function createEmail(
  platform: Platform,
  { environment, shopSettings, keyOf, publicUrl, adminUrl }: Dependencies,
) {
  const { database, newId, log, onError, outbox, metrics } = platform;
  const mailSettings = await createMailSettings(platform, environment);
  const { sendsEmail } = mailSettings;
  const outages = createOutages({
    database,
    ...MAIL_SERVER,
    ...logOutages(log),
    wake: outbox.wake,
    onError,
  });
  const send = createSend({ db: database.db, mailSettings, shopSettings });
  const channels = { send, isOn: sendsEmail, keyOf, publicUrl, adminUrl };
  for (const channel of createEmailChannels(database, channels))
    outbox.addChannel(outages.observe(channel));
  metrics.gauge(
    "keepsats_mail_server_up",
    "Whether the mail server accepted the last email of any process",
    async () => Number((await readServiceState(database.db, MAIL_SERVER.service)) !== "away"),
  );
  const { sendTestEmail, ...staffEmails } = createDirectEmails({
    send,
    newId,
    onResult(result) {
      outages.note(result);
      logUnsent(log, result);
    },
  });
  return {
    sendsEmail,
    ...staffEmails,
    adminRoutes: (app: FastifyInstance) =>
      emailRoutes(app, { mailSettings, sendTestEmail, database, wakeOutbox: outbox.wake }),
    close: mailSettings.close,
  };
}

/** Logs the start and the end of an outage of the mail server, once each. */
function logOutages(log: FastifyBaseLogger) {
  return {
    onBegin: (why: string) =>
      log.error(
        { why: redact(why) },
        "the mail server is not accepting email; waiting emails are sent when it recovers",
      ),
    onEnd: () => log.warn("the mail server accepts email again"),
  };
}

function logUnsent(log: FastifyBaseLogger, { kind, answer }: AttemptResult): void {
  if (kind !== "delivered")
    log.warn({ why: redact(answer) }, "a test email, an invitation or a sign-in link was not sent");
}
