/**
 * Whether a whole text is the address of a web page, such as `https://shop.example/terms`, without
 * blanks and control characters; `javascript:` is none.
 */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\\\p{Cc}\p{Cs}]+$/iu.test(text) && URL.canParse(text);
}
