import { isIPv6 } from "node:net";
import type { Window, Windows } from "./windows.ts";

/** Counts one act of an address. @returns nothing when it is within the limit, else the seconds until it may act again */
export type Limit = (address: string) => Promise<number | undefined>;

/** How long shared windows may take to answer, in milliseconds, before this process counts by itself. */
const PATIENCE = 500;

/** Lets each address do `most` acts of a kind within a window. */
export function createLimit(windows: Windows, kind: string, most: number): Limit {
  return async (address) => {
    const { count, endsIn } = await windows.count(`${kind}:${network(address)}`);
    return count <= most ? undefined : Math.max(1, Math.ceil(endsIn / 1000));
  };
}

/**
 * Windows that are shared while they can be: the shop goes on selling when they are away, and each process counts
 * for itself meanwhile.
 */
export function withOwnWindows(shared: Windows, own: Windows, onAway: (error: unknown) => void): Windows {
  return {
    async count(key) {
      try {
        return await withinPatience(shared.count(key));
      } catch (error) {
        onAway(error);
        return own.count(key);
      }
    },
    close: async () => {
      await Promise.all([shared.close(), own.close()]);
    },
  };
}

async function withinPatience(counting: Promise<Window>): Promise<Window> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the shared count takes too long")), PATIENCE);
  });
  return Promise.race([counting, late]).finally(() => clearTimeout(timer));
}

/** What one household or company has of addresses: one of IPv4, or a /64 network of IPv6. */
export function network(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - front.length - back.length }, () => "0");
  return [...front, ...zeros, ...back]
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(":");
}
