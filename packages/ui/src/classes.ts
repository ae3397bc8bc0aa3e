/** Joins class names and omits `false`, `null` and `undefined`. */
export function classes(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}

/** The classes of a link inside a sentence. */
export const textLink = "underline underline-offset-4 hover:text-ink";
