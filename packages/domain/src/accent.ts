/** The default accent colour, as in `packages/ui/src/theme.css`. */
export const ACCENT = "#f7931a";

/**
 * The colour of the text on a light accent, in the light and in the dark scheme; as in
 * `packages/ui/src/theme.css`.
 */
export const ACCENT_INK = "#1c1200";
/** The colour of the text on a dark accent. */
const LIGHT_INK = "#ffffff";

/** The minimum contrast of text by WCAG 2.2, level AA. */
const MIN_CONTRAST = 4.5;

/**
 * The text colour for an accent: black for the few colours on which neither ink is readable.
 */
export function accentInk(accent: string): string {
  return [ACCENT_INK, LIGHT_INK].find((ink) => contrast(accent, ink) >= MIN_CONTRAST) ?? "#000000";
}

export function isDarkAccent(accent: string): boolean {
  return accentInk(accent) === LIGHT_INK;
}

/**
 * The contrast of two colours by WCAG 2.2, from 1 (equal) to 21 (black and white).
 *
 * @param colour such as `#f7931a`
 */
export function contrast(colour: string, other: string): number {
  const [darker, lighter] = [luminance(colour), luminance(other)].toSorted((a, b) => a - b);
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05);
}

/** The relative luminance of a colour by WCAG 2.2, from 0 (black) to 1 (white). */
function luminance(colour: string): number {
  const part = (start: number) => linear(Number.parseInt(colour.slice(start, start + 2), 16) / 255);
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

function linear(share: number): number {
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
