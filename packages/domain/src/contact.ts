import { isMailAddress } from "./mail-address.ts";
import { isWebAddress } from "./web-address.ts";

/**
 * Whether a text can be the shop's contact: the address of a web page, or one e-mail address.
 * Examples: `https://shop.example/help` and `help@shop.example`, but not
 * `help@shop.example?cc=eve@evil.example`.
 */
export function isContact(text: string): boolean {
  return isWebAddress(text) || isMailAddress(text);
}
