import { describe, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { ConfigError } from "./environment.ts";

const needed = {
  LOAN_API_URL: "https://api.lender.example",
  LOAN_API_KEY: "key",
  LOAN_POPUP_URL_TEST: "https://pay.lender.example",
};
const MAIL_FROM = "orders@shop.example";
const mailOf = (env: Record<string, string>) => readConfig({ ...needed, ...env }).mail;

/** The message with which the settings are refused. */
function refusal(env: Record<string, string>): string {
  try {
    mailOf(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "not refused";
}

describe("the settings of mail", () => {
  test("without them there is no mail", () => {
    expect(mailOf({})).toBeUndefined();
    expect(mailOf({ SMTP_URL: "", MAIL_FROM: " " })).toBeUndefined();
  });

  test.each([
    [
      "smtp://127.0.0.1:2525",
      { host: "127.0.0.1", port: 2525, secure: false, login: undefined, isLoopback: true },
    ],
    ["smtp://localhost", { host: "localhost", port: 587, secure: false, login: undefined, isLoopback: true }],
    ["smtp://[::1]:25/", { host: "::1", port: 25, secure: false, login: undefined, isLoopback: true }],
    [
      "smtp://mail.example",
      { host: "mail.example", port: 587, secure: false, login: undefined, isLoopback: false },
    ],
    [
      "smtps://shop%40mail.example:p%40ss%2F%25@mail.example",
      {
        host: "mail.example",
        port: 465,
        secure: true,
        login: { user: "shop@mail.example", password: "p@ss/%" },
        isLoopback: false,
      },
    ],
  ])("SMTP_URL=%s is read", (SMTP_URL, server) => {
    expect(mailOf({ SMTP_URL, MAIL_FROM })?.server).toEqual(server);
  });

  test.each([
    ["orders@shop.example", { name: undefined, address: "orders@shop.example" }],
    ["<orders@shop.example>", { name: undefined, address: "orders@shop.example" }],
    ["Bits & Bobs <orders@shop.example>", { name: "Bits & Bobs", address: "orders@shop.example" }],
    ['"Bits, Bobs" <orders@shop.example>', { name: "Bits, Bobs", address: "orders@shop.example" }],
  ])("MAIL_FROM=%s is read", (from, read) => {
    expect(mailOf({ SMTP_URL: "smtp://localhost", MAIL_FROM: from })?.from).toEqual(read);
  });

  test.each([
    "mail.example:587",
    "http://mail.example",
    "smtp://",
    "smtp://mail.example/path",
    "smtp://mail.example?tls=no",
    "smtp://user@mail.example",
    "smtp://:password@mail.example",
    "smtps://user:100%@mail.example",
    "smtp://mail.example:99999",
  ])("SMTP_URL=%s is refused with one line that says what it takes", (SMTP_URL) => {
    const message = refusal({ SMTP_URL, MAIL_FROM });
    expect(message).toMatch(/^SMTP_URL: got .* takes a URL such as /);
    expect(message).not.toContain("\n");
  });

  test("a password is not repeated when its URL is refused", () => {
    const message = refusal({ SMTP_URL: "smtps://shop:s3cret@mail.example/path", MAIL_FROM });
    expect(message).toContain("smtps://…@mail.example/path");
    expect(message).not.toContain("s3cret");
  });

  test.each([
    "Shop",
    "orders@shop",
    "a@b.example, c@d.example",
    "Shop <a@b.example",
    "Shop <>",
    "a@b.example\r\nBcc: x@y.example",
  ])("MAIL_FROM=%j is refused", (from) =>
    expect(refusal({ SMTP_URL: "smtp://localhost", MAIL_FROM: from })).toMatch(/^MAIL_FROM: got /),
  );

  test("one without the other is refused", () => {
    expect(refusal({ SMTP_URL: "smtp://localhost" })).toBe(
      "MAIL_FROM: is not set, but SMTP_URL is; mail needs both",
    );
    expect(refusal({ MAIL_FROM })).toBe("SMTP_URL: is not set, but MAIL_FROM is; mail needs both");
  });
});

test.each(["help@shop.example", "https://shop.example/help"])("SHOP_CONTACT=%s is taken", (contact) =>
  expect(readConfig({ ...needed, SHOP_CONTACT: contact }).shopContact).toBe(contact),
);

test.each([
  "me",
  "a@b.example?bcc=eve@evil.example",
  "a@b.example,c@d.example",
  "https://shop.example/two words",
])("SHOP_CONTACT=%s is refused, as the merchant's setting is", (contact) =>
  expect(refusal({ SHOP_CONTACT: contact })).toMatch(/^SHOP_CONTACT: got .* takes an e-mail address/),
);
