import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** What of IPv6 is assigned to the public network (RFC 4291, IANA). */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an IP address belongs to a machine on the public network. Not public are, among others,
 * loopback, private, link-local, unique-local, shared, multicast, reserved and documentation
 * addresses, and IPv6 addresses that stand for an IPv4 address (mapped, NAT64, 6to4, Teredo),
 * because that may be a private one.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}

/**
 * Why an address cannot be that of a receiver on the public network, as far as the URL itself
 * tells.
 */
export function addressFault({ protocol, hostname }: URL): string | undefined {
  if (protocol !== "https:") return "must start with https://";
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const isPrivate = isIP(host) === 0 ? /(?:^|\.)localhost\.?$/.test(host) : !isPublicAddress(host);
  return isPrivate ? "must not be a private address" : undefined;
}
