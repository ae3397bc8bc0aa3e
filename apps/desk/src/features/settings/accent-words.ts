import { accentInk, contrast, isDarkAccent } from "@keepsats/domain";

const colour = /^#[\da-f]{6}$/i;

/** Whether a text is a colour such as `#f7931a`. */
export function isColour(text: string): boolean {
  return colour.test(text);
}

/**
 * Describes the text colour of an accent; `undefined` for an invalid colour. @param text such as
 * `#f7931a`
 */
export function accentWords(text: string): string | undefined {
  if (!isColour(text)) return undefined;
  const accent = text.toLowerCase();
  const ratio = contrast(accent, accentInk(accent)).toFixed(1);
  return `Buttons in this colour get ${isDarkAccent(accent) ? "light" : "dark"} text, with a contrast of ${ratio}:1.`;
}
