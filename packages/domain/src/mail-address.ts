import { MAX_EMAIL_LENGTH } from "./order-fields.ts";

/** Characters that have a meaning in the header of an email, and those that nobody sees. */
const unusual = /[\s\p{Cc}\p{Cf}\p{Cs},;:<>()[\]\\"]/u;
/** No `-` in front: a program that sends mail may take it for an option. */
const mailboxPattern = /^(?!-)[^.@]+(?:\.[^.@]+)*$/u;
/** The conversion of domains would drop or decode them. */
const notOfDomain = /[/?#%]/;
const domainPattern = /^(?:(?!-)[\w-]{1,63}(?<!-)\.)+(?!\d+$)(?!-)[a-z\d-]{1,63}(?<!-)$/;

/** Whether the shop can write to a text as an email address: it has a {@link recipientOf}. */
export function isMailAddress(text: string): boolean {
  return recipientOf(text) !== undefined;
}

/**
 * The one spelling of an address to which email is sent and under which it is counted: its domain in lower-case ASCII (UTS 46).
 * Otherwise `zoe@ｇmail.example` and `zoe@gmail.example` would count as two, and be the same mailbox.
 *
 * @returns `undefined` if the text is not one plain address such as `ada@mail.example`, which cannot be read as several addresses, as a
 *   name with an address, or as a command
 */
export function recipientOf(text: string): string | undefined {
  const at = text.lastIndexOf("@");
  const [mailbox, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (unusual.test(text) || !mailboxPattern.test(mailbox) || notOfDomain.test(domain)) return undefined;
  const url = `http://${domain}`;
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  const recipient = `${mailbox}@${host}`;
  return domainPattern.test(host) && recipient.length <= MAX_EMAIL_LENGTH ? recipient : undefined;
}

/**
 * The link that writes to an address, by RFC 6068: characters that have a meaning in a link are encoded, so that
 * `a?cc=b@mail.example` is one recipient.
 */
export function mailtoLink(address: string): string {
  return `mailto:${address.split("@").map(encodeURIComponent).join("@")}`;
}
