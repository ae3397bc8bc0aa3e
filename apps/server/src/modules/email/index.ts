import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { MailEnvironment } from "../../config/mail-config.ts";
import { redact } from "../../platform/observability/redaction.ts";
import { type AttemptResult, MAIL_SERVER } from "../../platform/outbox/channel.ts";
import { createOutages, readServiceState } from "../../platform/outbox/outages.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ReadPictureFile } from "../catalogue/index.ts";
import type { OrderKeys } from "../orders/index.ts";
import type { ShopSettingsReader } from "../settings/index.ts";
import { createDirectEmails } from "./direct-emails.ts";
import { createEmailChannels } from "./email-channels.ts";
import { createReadEmailPictures } from "./email-pictures.ts";
import { emailRoutes } from "./email-routes.ts";
import { createMailSettings, type MailSettings } from "./mail-settings.ts";
import { createSend } from "./send.ts";
import { checkMailServer } from "./smtp.ts";

interface Dependencies {
  readonly environment: MailEnvironment;
  readonly shopSettings: ShopSettingsReader;
  readonly readPicture: ReadPictureFile;
  readonly keyOf: OrderKeys["keyOf"];
  /** The origins of storefront and admin. */
  readonly publicUrl: string;
  readonly adminUrl: string | undefined;
}

export type Email = Awaited<ReturnType<typeof createEmail>>;

/** Email to customers and staff: two channels of the outbox, and emails that bypass it. */
export async function createEmail(platform: Platform, dependencies: Dependencies) {
  const { database, bus, onError, rereadInterval, outbox } = platform;
  const { environment } = dependencies;
  const refresh = { bus, onError, rereadInterval };
  const mailSettings = await createMailSettings({ ...refresh, database, environment });
  const sending = createEmailSending(platform, mailSettings, dependencies);
  return {
    sendsEmail: mailSettings.sendsEmail,
    sendInvitation: sending.sendInvitation,
    sendSignInEmail: sending.sendSignInEmail,
    adminRoutes(app: FastifyInstance) {
      const { sendTestEmail } = sending;
      emailRoutes(app, { mailSettings, sendTestEmail, database, wakeOutbox: outbox.wake });
    },
    workers: [sending.outages],
    close: mailSettings.close,
  };
}

function createEmailSending(
  { database, newId, log, onError, outbox, metrics }: Platform,
  mailSettings: MailSettings,
  { shopSettings, readPicture, keyOf, publicUrl, adminUrl }: Dependencies,
) {
  const readPictures = createReadEmailPictures({ db: database.db, shopSettings, readPicture });
  const outages = createOutages({
    database,
    ...MAIL_SERVER,
    ...logOutages(log),
    wake: outbox.wake,
    onError,
    async isUsable() {
      const config = mailSettings.current();
      return config !== undefined && (await checkMailServer(config.server)) === undefined;
    },
  });
  const send = createSend({ mailSettings, shopSettings, readPictures });
  const channels = createEmailChannels({
    database,
    isOn: mailSettings.sendsEmail,
    send,
    keyOf,
    publicUrl,
    adminUrl,
  });
  for (const channel of channels) outbox.addChannel(outages.observe(channel));
  metrics.gauge(
    "keepsats_mail_server_up",
    "Whether the mail server accepted the last email of any process",
    async () => Number((await readServiceState(database.db, MAIL_SERVER.service)) !== "away"),
  );
  const directEmails = createDirectEmails({
    send,
    newId,
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
