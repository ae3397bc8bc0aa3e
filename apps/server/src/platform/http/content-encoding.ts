import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type ContentEncoding = "br" | "gzip";

/** Brotli at its highest quality takes far longer, and saves little. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

export const compress: Readonly<Record<ContentEncoding, (content: Buffer) => Promise<Buffer>>> = {
  // Each call looks the functions up, because the simulation replaces them.
  br: (content) => promisify(brotliCompress)(content, brotli),
  gzip: (content) => promisify(gzip)(content),
};

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
