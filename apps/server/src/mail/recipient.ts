import { domainToUnicode } from "node:url";
import type { Attempt } from "../outbox/channel.ts";

/** The result of an email whose address has no `recipientOf`. */
export const noRecipient: Attempt = {
  kind: "gave-up",
  answer: "not sent: mail cannot be sent to this address",
};

/** The spellings of a `recipientOf` that a mail server may use in its answer. */
export function spellingsOf(recipient: string): string[] {
  const at = recipient.lastIndexOf("@");
  return [recipient, `${recipient.slice(0, at)}@${domainToUnicode(recipient.slice(at + 1))}`];
}
