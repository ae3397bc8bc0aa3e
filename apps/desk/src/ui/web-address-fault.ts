import { isWebAddress } from "@keepsats/domain";

/** The error text for an invalid web address; `undefined` if it is valid. */
export function webAddressFault(text: string): string | undefined {
  return isWebAddress(text) ? undefined : "Enter an address that starts with https:// or http://.";
}
