import { isIPv6 } from "node:net";
import type { Clock } from "../clock.ts";
import type { Window, Windows } from "./windows.ts";

/** Counts one act of an address. @returns nothing when it is within the limit, else the seconds until it may act again */
export type Limit = (address: string) => Promise<number | undefined>;

/** How many acts of a kind an address may do within so many milliseconds. */
export interface Rule<Kind extends string = string> {
  readonly kind: Kind;
  readonly most: number;
  readonly within: number;
}

interface LimitOptions<Kind extends string> {
  readonly windows: Windows;
  readonly now: Clock;
  /** Hears which rule an address, or its network, has come up against. */
  readonly onRefused: (kind: Kind, network: string) => void;
}

/** How long shared windows may take to answer, in milliseconds, before this process counts by itself. */
const PATIENCE = 500;
/** How many refused addresses are remembered. */
const MOST_REMEMBERED = 10_000;

/**
 * Lets each address do as much as all the rules allow. An address that was refused is not counted again until it may
 * act: a flood in one minute does not use up the day, and costs the shared windows nothing.
 */
export function createLimit<Kind extends string>(
  rules: readonly Rule<Kind>[],
  { windows, now, onRefused }: LimitOptions<Kind>,
): Limit {
  const refused = new Map<string, { kind: Kind; until: number }>();

  function refuse(key: string, kind: Kind, until: number): number {
    onRefused(kind, key);
    return Math.max(1, Math.ceil((until - now()) / 1000));
  }

  return async (address) => {
    const key = network(address);
    const known = refused.get(key);
    if (known !== undefined && known.until > now()) return refuse(key, known.kind, known.until);
    refused.delete(key);
    // All at once, so that they are counted together.
    const counts = await Promise.all(
      rules.map(async ({ kind, most, within }) => {
        const { count, endsIn } = await windows.count(`${kind}:${key}`, within);
        return { kind, endsIn, isOver: count > most };
      }),
    );
    const over = counts.find(({ isOver }) => isOver);
    if (over === undefined) return undefined;
    const until = now() + over.endsIn;
    if (refused.size >= MOST_REMEMBERED) refused.clear();
    refused.set(key, { kind: over.kind, until });
    return refuse(key, over.kind, until);
  };
}

/**
 * Windows that are shared while they can be: the shop goes on selling when they are away, and each process counts
 * for itself meanwhile.
 */
export function withOwnWindows(shared: Windows, own: Windows, onAway: (error: unknown) => void): Windows {
  return {
    async count(key, length) {
      try {
        return await withinPatience(shared.count(key, length));
      } catch (error) {
        onAway(error);
        return own.count(key, length);
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
