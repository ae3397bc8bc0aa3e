import { expect, test } from "vitest";
import { isMailAddress, mailtoLink } from "./mail-address.ts";

test.each([
  "ada@mail.example",
  "a@b.c",
  "ada+shop@mail.co.uk",
  "o'hara@mail.example",
  "jürgen@bücher.example",
])("mail can be sent to %s", (address) => expect(isMailAddress(address)).toBe(true));

test.each([
  "",
  "ada",
  "ada@mail",
  "@mail.example",
  "ada@.example",
  "ada@mail.",
  "-oQ/tmp@mail.example",
  "ada@mail.example,eve@mail.example",
  "ada@mail.example;eve@mail.example",
  "Ada<ada@mail.example>",
  "ada@mail.example\r\nBcc:eve@mail.example",
  "ada@mail.example\u2028x",
  '"ada"@mail.example',
  "ada(comment)@mail.example",
  "ada@eve@mail.example",
  "ada@[127.0.0.1]",
  "\u202eada@mail.example",
])("mail cannot be sent to %j", (address) => expect(isMailAddress(address)).toBe(false));

test.each([
  ["help@shop.example", "mailto:help@shop.example"],
  ["a+b%c?d@example.org", "mailto:a%2Bb%25c%3Fd@example.org"],
  ["a&bcc=eve/#x@example.org", "mailto:a%26bcc%3Deve%2F%23x@example.org"],
  ["jürgen@bücher.example", "mailto:j%C3%BCrgen@b%C3%BCcher.example"],
])("the link to %s is %s", (address, link) => {
  expect(mailtoLink(address)).toBe(link);
  expect(decodeURIComponent(new URL(link).pathname)).toBe(address);
  expect(new URL(link).search).toBe("");
});
