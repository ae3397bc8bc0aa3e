import { expect, test } from "vitest";
import { contactLink } from "./contact-link.ts";

test.each([
  ["https://shop.example/help?a=b%20c", "https://shop.example/help?a=b%20c", true],
  ["HTTPS://shop.example", "HTTPS://shop.example", true],
  ["a+b%c?d@example.org", "mailto:a%2Bb%25c%3Fd@example.org", false],
])("the contact %s is linked as %s", (contact, href, isPage) => {
  expect(contactLink(contact)).toEqual({ href, isPage });
});
