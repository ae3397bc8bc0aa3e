import type { MailConfig } from "../config.ts";
import type { ShopSettingsReader } from "../shop/shop-settings.ts";
import type { Letter } from "./letter.ts";
import type { SendMail } from "./smtp.ts";
import { writeMessage } from "./write-message.ts";

interface Dependencies {
  readonly config: MailConfig;
  readonly shopSettings: Pick<ShopSettingsReader, "current">;
  readonly sendMail: SendMail;
  readonly newId: () => string;
}

/** In milliseconds. */
const TIME_LIMIT = 20_000;

const letter: Letter = {
  subject: "A test letter of your shop",
  title: "Mail works",
  blocks: [
    { kind: "text", text: "Your shop can send mail, and this is how its letters look." },
    {
      kind: "text",
      text: "Is it among the spam? Then look at the SPF, DKIM and DMARC records of your domain.",
    },
  ],
};

/** Creates the function that sends a letter that only says that mail works, at once and once. */
export function createSendTestLetter({ sendMail, newId, ...needs }: Dependencies) {
  return async (to: string) => {
    const message = writeMessage(letter, {
      ...needs,
      messageId: `${newId()}@test.invalid`,
      isPersonal: true,
    });
    const { kind, answer } = await sendMail({ ...message, to }, AbortSignal.timeout(TIME_LIMIT));
    return { isAccepted: kind === "delivered", answer };
  };
}
