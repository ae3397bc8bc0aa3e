/**
 * Saves a text for this tab; it survives a reload. If the browser's settings forbid it, only a
 * warning is logged.
 *
 * @param text `undefined` removes the saved text
 */
export function saveText(key: string, text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch (error) {
    console.warn(`${key} cannot be saved; a reload will lose it`, error);
  }
}

/**
 * The text that {@link saveText} saved; `undefined` where there is none or the browser forbids
 * reading it.
 */
export function savedText(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
