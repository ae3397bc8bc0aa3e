import type { MailConfig } from "../config.ts";
import type { Attempt } from "../outbox/channel.ts";
import type { ShopSettingsReader } from "../shop/shop-settings.ts";
import type { Letter } from "./letter.ts";
import type { SendMail } from "./smtp.ts";
import { messageIdAt, writeMessage } from "./write-message.ts";

export interface SendAtOnceNeeds {
  readonly config: MailConfig;
  readonly shopSettings: Pick<ShopSettingsReader, "current">;
  readonly sendMail: SendMail;
  readonly newId: () => string;
  /** Called with the result of each attempt. */
  readonly onResult: (result: Attempt) => void;
}

/** In milliseconds. */
const TIME_LIMIT = 20_000;

/**
 * Creates a function that sends an email once, bypassing the outbox. @returns the mail server's
 * response
 */
export function createSendAtOnce({ sendMail, newId, onResult, ...needs }: SendAtOnceNeeds) {
  return async (to: string, letter: Letter) => {
    const messageId = messageIdAt(needs.config, newId());
    const message = writeMessage(letter, { ...needs, messageId, isPersonal: true });
    const result = await sendMail({ ...message, to }, AbortSignal.timeout(TIME_LIMIT));
    onResult(result);
    return result;
  };
}
