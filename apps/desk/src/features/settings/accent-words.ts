import { ACCENT_INK, contrast, LEAST_ACCENT_CONTRAST } from "@keepsats/domain";

const colour = /^#[\da-f]{6}$/i;

/** Whether a text is a colour such as `#f7931a`. */
export function isColour(text: string): boolean {
  return colour.test(text);
}

/** Says how well text on an accent can be read; `undefined` for what is not a colour. @param text such as `#f7931a` */
export function accentWords(text: string): string | undefined {
  if (!isColour(text)) return undefined;
  const ratio = contrast(text.toLowerCase(), ACCENT_INK);
  // Rounded down, so that it never shows a contrast that is not reached.
  const measured = (Math.floor(ratio * 100) / 100).toFixed(2);
  return ratio >= LEAST_ACCENT_CONTRAST
    ? `The text on it has a contrast of ${measured}:1, which is enough.`
    : `Too dark: the text on it has a contrast of ${measured}:1, and needs ${LEAST_ACCENT_CONTRAST}:1.`;
}
