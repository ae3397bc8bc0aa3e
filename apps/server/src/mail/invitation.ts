import { type Letter, typed } from "./letter.ts";
import { createSendAtOnce, type SendAtOnceNeeds } from "./send-at-once.ts";

/** The letter that invites a member of staff to the desk. */
function invitationLetter({ name, link }: { name: string; link: string }): Letter {
  return {
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
  };
}

/**
 * Creates the function that mails an invitation at once and once. It is no delivery of the outbox:
 * the link would be stored with it, and the caller shows the link anyway.
 */
export function createSendInvitation(needs: SendAtOnceNeeds) {
  const send = createSendAtOnce(needs);
  return async (to: string, invitation: { name: string; link: string }): Promise<boolean> => {
    const { kind } = await send(to, invitationLetter(invitation));
    return kind === "delivered";
  };
}
