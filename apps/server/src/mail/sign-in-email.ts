import { type Letter, typed } from "./letter.ts";
import { createSendAtOnce, type SendAtOnceNeeds } from "./send-at-once.ts";

function signInEmail({ name, link }: { name: string; link: string }): Letter {
  return {
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
  };
}

/**
 * Creates a function that emails a sign-in link. It bypasses the outbox, which would store the
 * link.
 */
export function createSendSignInEmail(needs: SendAtOnceNeeds) {
  const send = createSendAtOnce(needs);
  return async (to: string, link: { name: string; link: string }): Promise<void> => {
    await send(to, signInEmail(link));
  };
}
