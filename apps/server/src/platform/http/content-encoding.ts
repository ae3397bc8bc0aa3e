export type ContentEncoding = "br" | "gzip";

/**
 * Picks the smallest encoding that the client accepts.
 *
 * @param accepted the header `Accept-Encoding`, such as `gzip, br;q=0.5`; an encoding with `q=0` is
 *   not accepted
 * @returns `undefined` for no encoding
 */
export function pickEncoding(accepted: string | undefined): ContentEncoding | undefined {
  if (accepted === undefined) return undefined;
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted)) return "br";
  if (/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted)) return "gzip";
  return undefined;
}
