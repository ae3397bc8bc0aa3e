import { accentInk, contrast, isDarkAccent } from "@keepsats/domain";

const colour = /^#[\da-f]{6}$/i;

/** Whether a text is a colour such as `#f7931a`. */
export function isColour(text: string): boolean {
  return colour.test(text);
}

/** Says which text an accent gets; `undefined` for what is not a colour. @param text such as `#f7931a` */
export function accentWords(text: string): string | undefined {
  if (!isColour(text)) return undefined;
  const accent = text.toLowerCase();
  const ratio = contrast(accent, accentInk(accent)).toFixed(1);
  return `The text on it is ${isDarkAccent(accent) ? "light" : "dark"}, with a contrast of ${ratio}:1.`;
}
