/** Characters that have a meaning in the header of a mail, and those that nobody sees. */
const unusual = /[\s\p{Cc}\p{Cf}\p{Cs},;:<>()[\]\\"]/u;

/**
 * Whether mail can be sent to a text: it is one plain address such as `ada@mail.example`, and cannot be read as several
 * addresses, as a name with an address, or as a command.
 */
export function isMailAddress(text: string): boolean {
  return !unusual.test(text) && /^[^@-][^@]*@[^@.][^@]*\.[^@.]+$/u.test(text);
}

/**
 * The link that writes to an address, by RFC 6068: characters that have a meaning in a link are encoded, so that
 * `a?cc=b@mail.example` is one recipient.
 */
export function mailtoLink(address: string): string {
  return `mailto:${address.split("@").map(encodeURIComponent).join("@")}`;
}
