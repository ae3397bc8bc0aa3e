import type { Today } from "@keepsats/protocol";

/** How much waits on a screen. */
export interface NavigationCount {
  readonly count: number;
  /** What the number counts, for screen readers. */
  readonly words: string;
}

/**
 * What waits behind an entry of the navigation: orders to ship, and payments that do not fit.
 *
 * @param path the path of the screen
 * @param today the figures of Today, once they are known
 * @returns `undefined` if nothing waits
 */
export function navigationCount(
  path: string,
  today: Pick<Today, "to_ship" | "mismatches"> | undefined,
): NavigationCount | undefined {
  const { to_ship = 0, mismatches = 0 } = today ?? {};
  if (path === "/orders" && to_ship > 0) return { count: to_ship, words: `${to_ship} to ship` };
  if (path === "/payments" && mismatches > 0)
    return { count: mismatches, words: `${mismatches} to look into` };
  return undefined;
}
