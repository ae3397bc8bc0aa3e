/** Whether a whole text is the address of a web page, such as `https://shop.example/terms`. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text);
}
