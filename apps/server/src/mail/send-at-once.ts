import type { MailConfig } from "../mail-config.ts";
import type { Attempt } from "../outbox/channel.ts";
import type { ShopSettingsReader } from "../shop/shop-settings.ts";
import { type Block, type Letter, typed } from "./letter.ts";
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

/** The beginning of an email with a sign-in link. */
function signInBlocks({ name, link }: SignInLink, validity: string): Block[] {
  const sentence = `${typed(name)}, this link signs you in. It works once, within ${validity}.`;
  return [
    { kind: "text", text: sentence },
    { kind: "link", label: "Sign in", url: link, isMain: true },
  ];
}

/**
 * Creates a function that emails an invitation. It bypasses the outbox, which would store the link.
 * Lost emails need no retry, because the caller shows the link as well.
 */
export function createSendInvitation(needs: SendAtOnceNeeds) {
  const send = createSendAtOnce(needs);
  return async (to: string, invited: SignInLink): Promise<boolean> => {
    const { kind } = await send(to, {
      subject: "Your sign-in to the shop's desk",
      title: "You can sign in at the desk",
      blocks: [
        ...signInBlocks(invited, "three days"),
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
  return async (to: string, member: SignInLink): Promise<void> => {
    await send(to, {
      subject: "Your sign-in link",
      title: "Sign in",
      blocks: [
        ...signInBlocks(member, "ten minutes"),
        { kind: "text", text: "If you did not ask for it, ignore this email." },
      ],
    });
  };
}

/** Creates a function that sends a test email. */
export function createSendTestEmail(needs: SendAtOnceNeeds) {
  const send = createSendAtOnce(needs);
  return async (to: string) => {
    const { kind, answer } = await send(to, {
      subject: "A test email from your shop",
      title: "Email works",
      blocks: [
        { kind: "text", text: "Your shop can send email, and this is what its emails look like." },
        {
          kind: "text",
          text: "If it arrived in your spam folder, check the SPF, DKIM and DMARC records of your domain.",
        },
      ],
    });
    return { isAccepted: kind === "delivered", answer };
  };
}
