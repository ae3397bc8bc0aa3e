import { expect, test } from "vitest";
import { isWebAddress } from "./web-address.ts";

test.each(["https://shop.example", "http://shop.example:8080/terms?a=b#c", "HTTPS://shop.example"])(
  "%j is the address of a page",
  (text) => expect(isWebAddress(text)).toBe(true),
);

test.each([
  "shop.example",
  "//shop.example",
  "javascript:alert(1)",
  "javascript://https://x/%0aalert(1)",
  "data:text/html,<b>",
  "see https://shop.example",
  "https://shop.example and more",
  "https://shop.example\njavascript:alert(1)",
  "https:\\\\shop.example",
  "https://",
  "",
])("%j is not", (text) => expect(isWebAddress(text)).toBe(false));
