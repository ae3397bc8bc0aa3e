/** The classes of a link inside a sentence. */
export const textLink = "underline underline-offset-4 hover:text-ink";
