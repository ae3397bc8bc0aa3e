import { domainToASCII, domainToUnicode } from "node:url";
import { isMailAddress } from "@keepsats/domain";
import type { Attempt } from "../outbox/channel.ts";

/** What becomes of a letter to an address of which {@link recipientOf} makes nothing. */
export const noRecipient: Attempt = {
  kind: "gave-up",
  answer: "not sent: mail cannot be sent to this address",
};

/** What a URL has after its host: the conversion of domains would drop or decode it. */
const notOfDomain = /[/?#%]/;

/**
 * The one spelling of an address to which mail is sent and under which it is counted: its domain in lower-case ASCII (UTS 46).
 * Otherwise `zoe@ｇmail.example` and `zoe@gmail.example` would count as two, and be the same mailbox.
 *
 * @returns `undefined` if mail cannot be sent to it
 */
export function recipientOf(text: string): string | undefined {
  if (!isMailAddress(text)) return undefined;
  const { mailbox, domain } = partsOf(text);
  if (notOfDomain.test(domain)) return undefined;
  const recipient = `${mailbox}@${domainToASCII(domain)}`;
  return isMailAddress(recipient) ? recipient : undefined;
}

/** The spellings of a {@link recipientOf} that a mail server may use in its answer. */
export function spellingsOf(recipient: string): string[] {
  const { mailbox, domain } = partsOf(recipient);
  return [recipient, `${mailbox}@${domainToUnicode(domain)}`];
}

function partsOf(address: string): { mailbox: string; domain: string } {
  const at = address.lastIndexOf("@");
  return { mailbox: address.slice(0, at), domain: address.slice(at + 1) };
}
