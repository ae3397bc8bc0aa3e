import { promises as dns, type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { codeOf } from "../../platform/errors.ts";

/** The part of IPv6 that is assigned to the public network (RFC 4291, IANA). */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an IP address is on the public network. Not public are loopback, private, link-local,
 * unique-local, shared, multicast, reserved and documentation addresses, and IPv6 addresses that
 * embed an IPv4 address (mapped, NAT64, 6to4, Teredo), because that may be a private one.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}

/**
 * Checks a URL before it is stored; its host is checked when it is resolved.
 *
 * @returns the reason why it is refused
 */
export function urlFault({ protocol, hostname }: URL): string | undefined {
  if (protocol !== "https:") return "must start with https://";
  const host = withoutBrackets(hostname);
  const isPrivate = isIP(host) === 0 ? /(?:^|\.)localhost\.?$/.test(host) : !isPublicAddress(host);
  return isPrivate ? "must not be a private address" : undefined;
}

/**
 * Resolves the host of a URL to its public addresses. Connect to one of them, and do not resolve
 * the host again: it may resolve to a private address the next time (DNS rebinding).
 *
 * @param isPrivateAllowed whether `http:` URLs and private addresses are allowed
 * @throws {Error} if there is none; staff see the message
 */
export async function resolvePublic(
  { protocol, hostname }: URL,
  isPrivateAllowed: boolean,
  resolve: Resolve,
): Promise<LookupAddress[]> {
  if (protocol !== "https:" && !isPrivateAllowed)
    throw new Error("the address does not start with https://");
  const addresses = await resolve(withoutBrackets(hostname));
  const allowed = addresses.filter(({ address }) => isPrivateAllowed || isPublicAddress(address));
  if (allowed.length === 0) throw new Error(`${hostname} has no public address`);
  return allowed;
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Resolves a host to its IP addresses; rejects if it has none. IPv6 literals have no brackets. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** The timeout of one query to a DNS server, in milliseconds, and the number of tries. */
const DNS_LIMITS = { timeout: 2_000, tries: 2 };

/** Resolves like other programs of the machine, with its hosts file: for private receivers. */
export const resolveAsSystem: Resolve = (host) => dns.lookup(host, { all: true });

/**
 * Resolves by DNS only. Unlike `dns.lookup` it occupies no thread of Node's pool, so a DNS server
 * that does not respond blocks nothing else.
 *
 * @param servers DNS servers such as `127.0.0.1:5353`; by default the servers of the system
 */
export function createResolveByDns(servers?: readonly string[]): Resolve {
  const resolver = new dns.Resolver(DNS_LIMITS);
  if (servers !== undefined) resolver.setServers(servers);

  async function query(family: 4 | 6, host: string): Promise<LookupAddress[]> {
    try {
      const addresses = await (family === 4 ? resolver.resolve4(host) : resolver.resolve6(host));
      return addresses.map((address) => ({ address, family }));
    } catch (error) {
      if (["ENODATA", "ENOTFOUND"].includes(codeOf(error))) return [];
      throw error;
    }
  }

  return async (host) => {
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family }];
    const [four, six] = await Promise.allSettled([query(4, host), query(6, host)]);
    const found = [four, six].flatMap((answer) =>
      answer.status === "fulfilled" ? answer.value : [],
    );
    if (found.length > 0) return found;
    for (const answer of [four, six]) if (answer.status === "rejected") throw answer.reason;
    throw new Error(`${host} has no address`);
  };
}
