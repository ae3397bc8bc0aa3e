import type { LookupAddress } from "node:dns";
import { isPublicAddress } from "./public-address.ts";
import type { Resolve } from "./resolve.ts";

interface Options {
  /** Whether `http:` and addresses that are not public are allowed. */
  readonly isPrivateAllowed: boolean;
  readonly resolve: Resolve;
}

/**
 * Resolves the host of a URL, once, and leaves out the addresses that are not allowed. The
 * connection must be made to one of the rest: the name may resolve to another address the next
 * time.
 *
 * @throws {Error} if none is left; its message is for the merchant
 */
export async function checkedAddresses(
  { protocol, hostname }: URL,
  { isPrivateAllowed, resolve }: Options,
): Promise<LookupAddress[]> {
  if (protocol !== "https:" && !isPrivateAllowed)
    throw new Error("the address does not start with https://");
  const addresses = await resolve(hostname.replace(/^\[(.*)\]$/, "$1"));
  const allowed = addresses.filter(({ address }) => isPrivateAllowed || isPublicAddress(address));
  if (allowed.length === 0) throw new Error(`${hostname} has no public address`);
  return allowed;
}
