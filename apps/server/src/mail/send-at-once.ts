import type { MailConfig } from "../config.ts";
import type { ShopSettingsReader } from "../shop/shop-settings.ts";
import type { Letter } from "./letter.ts";
import type { SendMail } from "./smtp.ts";
import { writeMessage } from "./write-message.ts";

export interface SendAtOnceNeeds {
  readonly config: MailConfig;
  readonly shopSettings: Pick<ShopSettingsReader, "current">;
  readonly sendMail: SendMail;
  readonly newId: () => string;
}

/** In milliseconds. */
const TIME_LIMIT = 20_000;

/**
 * Creates the function that sends a letter at once and once, outside of the outbox, and tells what the mail server answered.
 *
 * @param domain of the letters' Message-ID, such as `test.invalid`
 */
export function createSendAtOnce(domain: string, { sendMail, newId, ...needs }: SendAtOnceNeeds) {
  return (to: string, letter: Letter) => {
    const message = writeMessage(letter, { ...needs, messageId: `${newId()}@${domain}`, isPersonal: true });
    return sendMail({ ...message, to }, AbortSignal.timeout(TIME_LIMIT));
  };
}
