import { isWebAddress } from "@keepsats/domain";

/** What is wrong with the address of a page; `undefined` if it is one. */
export function webAddressFault(text: string): string | undefined {
  return isWebAddress(text) ? undefined : "Type an address that starts with https:// or http://.";
}
