import type { AttemptResult } from "../../platform/outbox/channel.ts";
import type { SignInLink } from "../staff/index.ts";
import { type Block, button, type Email, text, withoutLinks } from "./email.ts";
import type { Send } from "./send.ts";
import { emailIsOff } from "./smtp.ts";

interface Dependencies {
  readonly send: Send;
  readonly newId: () => string;
  /** Called with the result of each attempt. */
  readonly onResult: (result: AttemptResult) => void;
}

export type SendTestEmail = ReturnType<typeof createDirectEmails>["sendTestEmail"];

/** In milliseconds. */
const TIMEOUT = 20_000;

/**
 * Emails that bypass the outbox and are sent once: the outbox would store the secret of a link, and
 * staff see the result of a test email at once. An invitation needs no retry, because the admin
 * shows its link too.
 */
export function createDirectEmails({ send, newId, onResult }: Dependencies) {
  async function sendOnce(to: string, email: Email): Promise<AttemptResult> {
    const signal = AbortSignal.timeout(TIMEOUT);
    const result = await send(email, { to, id: newId(), signal });
    if (result !== emailIsOff) onResult(result);
    return result;
  }

  return {
    /** Returns whether the mail server accepted the email. */
    async sendInvitation(to: string, invited: SignInLink): Promise<boolean> {
      return (await sendOnce(to, invitation(invited))).kind === "delivered";
    },
    async sendSignInEmail(to: string, member: SignInLink): Promise<void> {
      await sendOnce(to, signInEmail(member));
    },
    /** Returns the mail server's answer, or the reason why there was none. */
    async sendTestEmail(to: string) {
      const { kind, answer } = await sendOnce(to, testEmail);
      return { accepted: kind === "delivered", answer };
    },
  };
}

function invitation(invited: SignInLink): Email {
  return {
    subject: "Sign in to the shop's admin",
    title: "You can sign in to the admin",
    blocks: [
      ...signInBlocks(invited, "three days"),
      text(
        "Add a passkey there to sign in from then on. If the link has expired, ask for another one.",
      ),
    ],
  };
}

function signInEmail(member: SignInLink): Email {
  return {
    subject: "Your sign-in link",
    title: "Sign in",
    blocks: [
      ...signInBlocks(member, "ten minutes"),
      text("If you did not request it, ignore this email."),
    ],
  };
}

function signInBlocks({ name, link }: SignInLink, lifetime: string): Block[] {
  const sentence = `${withoutLinks(name)}, this link signs you in. It works once, within ${lifetime}.`;
  return [text(sentence), button("Sign in", link)];
}

const testEmail: Email = {
  subject: "A test email from your shop",
  title: "Email works",
  blocks: [
    text("Your shop can send email, and this is what its emails look like."),
    text(
      "If it arrived in your spam folder, check the SPF, DKIM and DMARC records of your domain.",
    ),
  ],
};
