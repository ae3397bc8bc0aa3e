import { promises as dns, type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { codeOf } from "../errors.ts";

/** Finds the IP addresses of a host; rejects if it has none. IPv6 literals have no brackets. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** The time limit of one question to a DNS server, in milliseconds, and how often it is asked. */
const DNS_LIMITS = { timeout: 2_000, tries: 2 };

/**
 * Resolves as other programs of the machine do, with its hosts file: for receivers in the own
 * network.
 */
export const resolveAsSystem: Resolve = (host) => dns.lookup(host, { all: true });

/**
 * Creates a function that resolves by DNS alone. It occupies no thread of Node's pool, so a DNS
 * server that does not answer holds nothing up.
 *
 * @param servers the DNS servers, such as `127.0.0.1:5353`, instead of those of the system
 */
export function createResolveByDns(servers?: readonly string[]): Resolve {
  const resolver = new dns.Resolver(DNS_LIMITS);
  if (servers !== undefined) resolver.setServers(servers);

  async function ask(family: 4 | 6, host: string): Promise<LookupAddress[]> {
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
    const [four, six] = await Promise.allSettled([ask(4, host), ask(6, host)]);
    const found = [four, six].flatMap((answer) =>
      answer.status === "fulfilled" ? answer.value : [],
    );
    if (found.length > 0) return found;
    for (const answer of [four, six]) if (answer.status === "rejected") throw answer.reason;
    throw new Error(`${host} has no address`);
  };
}
