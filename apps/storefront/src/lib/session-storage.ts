import type * as z from "zod/mini";

/**
 * Saves a text for this tab; it survives a reload. If the browser forbids storage, a warning is
 * logged.
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

/** The text that {@link saveText} saved; `undefined` without one, or if storage is forbidden. */
export function savedText(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The JSON that {@link saveText} saved; `undefined` without one, or if it does not match. */
export function savedJson<T>(key: string, schema: z.ZodMiniType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(savedText(key) ?? "")).data;
  } catch {
    return undefined;
  }
}
