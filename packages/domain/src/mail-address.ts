/** Characters that have a meaning in the header of a mail, and those that nobody sees. */
const unusual = /[\s\p{Cc}\p{Cf}\p{Cs},;:<>()[\]\\"]/u;

/**
 * Whether mail can be sent to a text: it is one plain address such as `ada@mail.example`, and cannot be read as several
 * addresses, as a name with an address, or as a command.
 */
export function isMailAddress(text: string): boolean {
  return !unusual.test(text) && /^[^@-][^@]*@[^@.][^@]*\.[^@.]+$/u.test(text);
}
