/** The maximum length of an email address. */
export const MAX_EMAIL_LENGTH = 254;

/** Characters with a meaning in email headers, and invisible ones. */
const unusual = /[\s\p{Cc}\p{Cf}\p{Cs},;:<>()[\]\\"]/u;
/** No leading `-`, which a mail program might parse as an option. */
const mailboxPattern = /^(?!-)[^.@]+(?:\.[^.@]+)*$/u;
/** Characters that the domain conversion would drop or decode. */
const notOfDomain = /[/?#%]/;
const domainPattern = /^(?:(?!-)[\w-]{1,63}(?<!-)\.)+(?!\d+$)(?!-)[a-z\d-]{1,63}(?<!-)$/;

/** Whether the shop can send email to an address, that is, whether it has a {@link recipientOf}. */
export function isEmailAddress(text: string): boolean {
  return recipientOf(text) !== undefined;
}

/**
 * Normalizes an email address for sending and counting: the domain becomes lower-case ASCII (UTS
 * 46). Otherwise `zoe@ｇmail.example` and `zoe@gmail.example`, which are one mailbox, would count as
 * two.
 *
 * @returns `undefined` unless the text is one plain address such as `ada@mail.example`, which no
 *   mail program can parse as several addresses, as a name with an address, or as a command
 */
export function recipientOf(text: string): string | undefined {
  const at = text.lastIndexOf("@");
  const [mailbox, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (unusual.test(text) || !mailboxPattern.test(mailbox) || notOfDomain.test(domain))
    return undefined;
  const url = `http://${domain}`;
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  const recipient = `${mailbox}@${host}`;
  return domainPattern.test(host) && recipient.length <= MAX_EMAIL_LENGTH ? recipient : undefined;
}

/**
 * The `mailto:` link of an email address by RFC 6068. Characters with a meaning in a URL are
 * encoded, so that `a?cc=b@mail.example` is one recipient.
 */
export function mailtoLink(address: string): string {
  return `mailto:${address.split("@").map(encodeURIComponent).join("@")}`;
}

/**
 * Whether a text is the URL of a web page, such as `https://shop.example/terms`, without blanks and
 * control characters. `javascript:` is not.
 */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\\\p{Cc}\p{Cs}]+$/iu.test(text) && URL.canParse(text);
}

/**
 * Whether a text can be the shop's contact: the URL of a web page, or one email address. Examples:
 * `https://shop.example/help` and `help@shop.example`, but not
 * `help@shop.example?cc=eve@evil.example`.
 */
export function isContact(text: string): boolean {
  return isWebAddress(text) || isEmailAddress(text);
}
