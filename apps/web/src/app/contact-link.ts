import { mailtoLink } from "@keepsats/domain";

/** The link to the shop's contact, which is a web page or an e-mail address. */
export function contactLink(contact: string): { readonly href: string; readonly isPage: boolean } {
  const isPage = /^https?:/i.test(contact);
  return { href: isPage ? contact : mailtoLink(contact), isPage };
}
