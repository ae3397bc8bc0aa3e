import { expect, test } from "vitest";
import { isContact } from "./contact.ts";

test.each([
  "help@shop.example",
  "ADA+shop@mail.example",
  "a+b%c?d@example.org",
  "https://shop.example/help",
  "http://127.0.0.1:3000",
])("%s is a contact", (text) => expect(isContact(text)).toBe(true));

test.each([
  "",
  "me",
  "https://",
  "javascript:alert(1)",
  "a@b.example,c@d.example",
  "Ada <a@b.example>",
  "a@b.example?bcc=eve@evil.example",
  "a@b.example/x",
  "a@b%2eexample.com",
])("%j is no contact", (text) => expect(isContact(text)).toBe(false));
