/** Joins class names and omits `false`, `null` and `undefined`. */
export function classes(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}

/** The classes of a page to print. On the screen a line separates the pages. */
export const printedPage =
  "mb-10 break-after-page border-b border-line pb-10 last:border-0 print:mb-0 print:border-0 print:pb-0 print:last:break-after-auto";

/** The classes of a link inside a sentence. */
export const textLink = "underline underline-offset-4 hover:text-ink";
