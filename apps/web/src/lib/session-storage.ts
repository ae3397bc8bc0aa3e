/**
 * Keeps a text for this tab, also over a reload. Where the browser keeps nothing (a shopper may forbid it) the page goes
 * on without.
 *
 * @param text `undefined` forgets what was kept
 */
export function keepText(key: string, text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch (error) {
    console.warn(`${key} cannot be kept over a reload`, error);
  }
}

/** What {@link keepText} has kept. */
export function keptText(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
