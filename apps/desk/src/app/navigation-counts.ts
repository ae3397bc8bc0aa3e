import type { Today } from "@keepsats/protocol";

/** How much waits on a screen. */
export interface NavigationCount {
  readonly count: number;
  /** What the number counts, for screen readers. */
  readonly words: string;
}

/**
 * The count beside an entry of the navigation: orders to ship, and payments that need attention.
 *
 * @param path the path of the screen
 * @param today the figures of Today, once they are known
 * @returns `undefined` if nothing waits
 */
export function navigationCount(
  path: string,
  today: Pick<Today, "to_ship" | "payment_issues"> | undefined,
): NavigationCount | undefined {
  const { to_ship = 0, payment_issues = 0 } = today ?? {};
  if (path === "/orders" && to_ship > 0) return { count: to_ship, words: `${to_ship} to ship` };
  if (path === "/payments" && payment_issues > 0) {
    const words = payment_issues === 1 ? "1 needs attention" : `${payment_issues} need attention`;
    return { count: payment_issues, words };
  }
  return undefined;
}
