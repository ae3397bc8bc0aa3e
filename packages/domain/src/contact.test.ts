import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkoutFields, fieldError } from "./checkout-form.ts";
import {
  isContact,
  isEmailAddress,
  isWebAddress,
  MAX_EMAIL_LENGTH,
  mailtoLink,
  recipientOf,
} from "./contact.ts";

const emailError = (value: string) => fieldError(checkoutFields.customer.customer_email, value);

/** Every accepted address must match it. */
const specified = /^\S+@\S+\.\S+$/;

describe("an email address is valid if and only if the shop can send to it", () => {
  test.each([
    ["ada@mail.example", "ada@mail.example"],
    ["a@b.c", "a@b.c"],
    ["ada+shop@mail.co.uk", "ada+shop@mail.co.uk"],
    ["o'hara@mail.example", "o'hara@mail.example"],
    ["ada.l!#$%&'*/=?^_`{|}~-@mail.example", "ada.l!#$%&'*/=?^_`{|}~-@mail.example"],
    [`${"x".repeat(63)}@${"y".repeat(63)}.example`, `${"x".repeat(63)}@${"y".repeat(63)}.example`],
    ["ada@my_host.b-2.x1", "ada@my_host.b-2.x1"],
    ["Ada@MAIL.Example", "Ada@mail.example"],
    ["ada@ｍail.example", "ada@mail.example"],
    ["ada@ⓜail.example", "ada@mail.example"],
    ["ada@mail。example.org", "ada@mail.example.org"],
    ["jürgen@bücher.example", "jürgen@xn--bcher-kva.example"],
    ["ada@XN--BCHER-KVA.example", "ada@xn--bcher-kva.example"],
  ])("email to %s is sent to %s", (text, recipient) => {
    expect(emailError(text)).toBeUndefined();
    expect(isEmailAddress(text)).toBe(true);
    expect(recipientOf(text)).toBe(recipient);
    expect(recipientOf(recipient)).toBe(recipient);
    expect(text).toMatch(specified);
  });

  test.each([
    "ada",
    "ada@mail",
    "@mail.example",
    "ada@",
    "ada@.example",
    "ada@mail.",
    "a@b.org,",
    "a@b..org",
    "<a@b.org>",
    "a..b@mail.example",
    ".ada@mail.example",
    "ada.@mail.example",
    "-oQ/tmp@mail.example",
    "ada@-mail.example",
    "ada@mail-.example",
    `ada@${"y".repeat(64)}.example`,
    `a@${"ü.".repeat(40)}example`,
    "ada@mail.123",
    "ada@127.0.0.1",
    "ada@0x7f.1",
    "ada@[127.0.0.1]",
    "ada@mail.example:25",
    "ada@mail.example,eve@mail.example",
    "ada@mail.example;eve@mail.example",
    "ada@eve@mail.example",
    "Ada<ada@mail.example>",
    '"ada"@mail.example',
    "ada(comment)@mail.example",
    "ada b@mail.example",
    "ada@mail example.org",
    "ada@mail.example/x",
    "ada@mail.example#x",
    "ada@mail.example?bcc=eve",
    "ada@mail%2eexample.org",
    "ada@mail.example。",
    "ada@mail／x.example",
    "ada@mail!.example",
  ])("%j is refused", (text) => {
    expect(emailError(text)).toBe("Email is invalid");
    expect(isEmailAddress(text)).toBe(false);
    expect(recipientOf(text)).toBeUndefined();
  });

  test.each([
    "",
    "ada@mail.example\r\nBcc:eve@mail.example",
    "ada@mail.example\u2028x",
    "\u202eada@mail.example",
  ])("email is not sent to %j", (text) => expect(isEmailAddress(text)).toBe(false));

  test("so are all addresses of RFC 5322, and no text that the pattern refuses", () => {
    const standard = fc
      .emailAddress()
      .filter((text) => !text.startsWith("-") && text.length <= MAX_EMAIL_LENGTH);
    fc.assert(fc.property(standard, (text) => emailError(text) === undefined));
    fc.assert(
      fc.property(
        fc.stringMatching(/^[\w.@, -]{0,12}$/),
        (text) => emailError(text) !== undefined || specified.test(text.trim()),
      ),
    );
  });
});

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

test.each(["https://shop.example", "http://shop.example:8080/terms?a=b#c", "HTTPS://shop.example"])(
  "%j is the URL of a page",
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
])("%j is not the URL of a page", (text) => expect(isWebAddress(text)).toBe(false));

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
])("%j is not a contact", (text) => expect(isContact(text)).toBe(false));
