import type { MailConfig } from "../mail-config.ts";
import type { Attempt } from "../outbox/channel.ts";
import type { ShopSettingsReader } from "../shop/shop-settings.ts";
import { type Letter, typed } from "./letter.ts";
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
function createSendAtOnce({ sendMail, newId, onResult, ...needs }: SendAtOnceNeeds) {
  return async (to: string, letter: Letter) => {
    const messageId = messageIdAt(needs.config, newId());
    const message = writeMessage(letter, { ...needs, messageId, isPersonal: true });
    const result = await sendMail({ ...message, to }, AbortSignal.timeout(TIME_LIMIT));
    onResult(result);
    return result;
  };
}

/** A one-time sign-in link, and the name of whom it signs in. */
interface SignInLink {
  readonly name: string;
  readonly link: string;
}

/**
 * Creates the function that mails an invitation at once and once. It is no delivery of the outbox:
 * the link would be stored with it, and the caller shows the link anyway.
 */
export function createSendInvitation(needs: SendAtOnceNeeds) {
  const send = createSendAtOnce(needs);
  return async (to: string, { name, link }: SignInLink): Promise<boolean> => {
    const { kind } = await send(to, {
      subject: "Your sign-in to the shop's desk",
      title: "You can sign in at the desk",
      blocks: [
        {
          kind: "text",
          text: `${typed(name)}, this link signs you in. It works once, within three days.`,
        },
        { kind: "link", label: "Sign in", url: link, isMain: true },
        {
          kind: "text",
          text: "Add a passkey there, and sign in with that from then on. If the link does not work any more, ask for another.",
        },
      ],
    });
    return kind === "delivered";
  };
}

/**
 * Creates a function that emails a sign-in link. It bypasses the outbox, which would store the
 * link.
 */
export function createSendSignInEmail(needs: SendAtOnceNeeds) {
  const send = createSendAtOnce(needs);
  return async (to: string, { name, link }: SignInLink): Promise<void> => {
    await send(to, {
      subject: "Your sign-in link",
      title: "Sign in",
      blocks: [
        {
          kind: "text",
          text: `${typed(name)}, this link signs you in. It works once, within ten minutes.`,
        },
        { kind: "link", label: "Sign in", url: link, isMain: true },
        { kind: "text", text: "If you did not ask for it, ignore this email." },
      ],
    });
  };
}

/** Creates the function that sends a letter that only says that mail works, at once and once. */
export function createSendTestLetter(needs: SendAtOnceNeeds) {
  const send = createSendAtOnce(needs);
  return async (to: string) => {
    const { kind, answer } = await send(to, {
      subject: "A test letter of your shop",
      title: "Mail works",
      blocks: [
        { kind: "text", text: "Your shop can send mail, and this is how its letters look." },
        {
          kind: "text",
          text: "Is it among the spam? Then look at the SPF, DKIM and DMARC records of your domain.",
        },
      ],
    });
    return { isAccepted: kind === "delivered", answer };
  };
}
