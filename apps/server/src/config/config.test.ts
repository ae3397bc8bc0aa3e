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

/** The error message for an invalid configuration. */
function refusal(env: Record<string, string>): string {
  try {
    mailOf(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "not refused";
}

describe("an invalid configuration is refused with one line that names a variable,", () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ["when PORT is too high", { PORT: "70000" }, /^PORT: got "70000"/],
    [
      "when ORDER_EXPIRES_HOURS is 0",
      { ORDER_EXPIRES_HOURS: "0" },
      /^ORDER_EXPIRES_HOURS: got "0", expected a whole number from 1 to 100000$/,
    ],
    [
      "when RETAIN_DAYS is 0",
      { RETAIN_DAYS: "0" },
      /^RETAIN_DAYS: got "0", expected off, or a whole number of days from 1 to 9999$/,
    ],
    ["without LOAN_API_URL", { LOAN_API_URL: "" }, /^LOAN_API_URL is not set, expected a URL/],
    ["without LOAN_API_KEY", { LOAN_API_KEY: "" }, /^LOAN_API_KEY is not set/],
    [
      "when SHOP_NAME is too long",
      { SHOP_NAME: "x".repeat(61) },
      /^SHOP_NAME: got "x+", expected a name, which must have at most 60 characters$/,
    ],
    [
      "when SHOP_NAME has two lines",
      { SHOP_NAME: "Bits\nBobs" },
      /^SHOP_NAME: got "Bits\\nBobs", expected a name, which must not have control characters$/,
    ],
    [
      "when SHOP_NAME has only invisible characters",
      { SHOP_NAME: "\u200b" },
      /^SHOP_NAME: got .*, expected a name, which must not be empty$/,
    ],
    ["without LOAN_POPUP_URL_TEST", { LOAN_POPUP_URL_TEST: "" }, /^LOAN_POPUP_URL_TEST is not set/],
    [
      "when LOAN_POPUP_URL_TEST is not an origin",
      { LOAN_POPUP_URL_TEST: "https://pay.example/x" },
      /^LOAN_POPUP_URL_TEST: got/,
    ],
    ["when PUBLIC_URL is not a URL", { PUBLIC_URL: "shop" }, /^PUBLIC_URL: got "shop"/],
    [
      "when LOAN_NETWORK is unknown",
      { LOAN_NETWORK: "moon" },
      /^LOAN_NETWORK: got "moon", expected test or mainnet$/,
    ],
    ["when a limit is zero", { RATE_LIMIT_ORDERS: "0" }, /^RATE_LIMIT_ORDERS: got "0"/],
    ["when LOG_LEVEL is unknown", { LOG_LEVEL: "loud" }, /^LOG_LEVEL: got "loud"/],
    [
      "when DATABASE_URL has an unknown scheme",
      { DATABASE_URL: "mysql://user:secret@host/db" },
      /^DATABASE_URL: got "mysql:\/\/…@host\/db"/,
    ],
    [
      "when REDIS_URL has an unknown scheme",
      { REDIS_URL: "http://user:secret@host" },
      /^REDIS_URL: got "http:\/\/…@host", expected a URL such as redis/,
    ],
    [
      "when REDIS_PREFIX contains a space",
      { REDIS_PREFIX: "my shop" },
      /^REDIS_PREFIX: got "my shop", expected 1 to 64 letters/,
    ],
  ])("%s", (_, env, line) => {
    expect(refusal(env)).toMatch(line);
    expect(refusal(env)).not.toContain("\n");
  });
});

describe("the configuration of the admin", () => {
  const adminOf = (env: Record<string, string>) => readConfig({ ...needed, ...env }).admin;

  test("without ADMIN_PORT, and with off, there is no admin", () => {
    expect(adminOf({})).toBeUndefined();
    expect(adminOf({ ADMIN_PORT: "off", ADMIN_URL: "nonsense" })).toBeUndefined();
  });

  test.each([
    [
      { ADMIN_PORT: "3002" },
      { host: "127.0.0.1", port: 3002, url: "http://localhost:3002", link: false },
    ],
    [
      { ADMIN_PORT: "4000", ADMIN_URL: "https://admin.shop.example/", ADMIN_LINK: "on" },
      { host: "127.0.0.1", port: 4000, url: "https://admin.shop.example", link: true },
    ],
    [
      { ADMIN_PORT: "4000", ADMIN_URL: "http://127.0.0.1:9" },
      { host: "127.0.0.1", port: 4000, url: "http://127.0.0.1:9", link: false },
    ],
  ])("%j is read", (env, read) => {
    expect(adminOf({ PUBLIC_URL: "https://shop.example", ...env })).toEqual(read);
  });

  test.each([
    ["http://localhost:3002", { HOST: "0.0.0.0" }, "127.0.0.1"],
    ["http://localhost:3002", { HOST: "::" }, "127.0.0.1"],
    ["http://localhost:3002", { HOST: "::1" }, "::1"],
    ["http://localhost:3002", { HOST: "localhost" }, "localhost"],
    ["http://localhost:3002", { HOST: "0.0.0.0", ADMIN_HOST: "0.0.0.0" }, "0.0.0.0"],
    ["https://localhost:3002", { HOST: "0.0.0.0" }, "0.0.0.0"],
    ["https://admin.shop.example", { HOST: "0.0.0.0" }, "0.0.0.0"],
    ["https://admin.shop.example", { HOST: "0.0.0.0", ADMIN_HOST: "10.0.0.7" }, "10.0.0.7"],
  ])(
    "over plain http it listens on loopback only: at %s with %j it listens on %s",
    (url, env, host) => {
      expect(adminOf({ ADMIN_PORT: "3002", ADMIN_URL: url, ...env })?.host).toBe(host);
    },
  );

  test.each<[Record<string, string>, RegExp]>([
    [{ ADMIN_PORT: "port" }, /^ADMIN_PORT: got "port", expected off, or a whole number/],
    [{ ADMIN_PORT: "65536" }, /^ADMIN_PORT: got "65536"/],
    [{ ADMIN_PORT: "3000" }, /^ADMIN_PORT: got "3000", must differ from PORT$/],
    [
      { ADMIN_URL: "http://admin.shop.example" },
      /^ADMIN_URL: got "http:\/\/admin\.shop\.example", expected an https address/,
    ],
    [
      { ADMIN_URL: "https://shop.example:444" },
      /^ADMIN_URL: .* must differ from PUBLIC_URL in its host name/,
    ],
    [
      { ADMIN_URL: "https://admin.shop.example/admin" },
      /^ADMIN_URL: .* expected an origin without a path/,
    ],
  ])("%j is refused with one line", (env, line) => {
    const message = refusal({ PUBLIC_URL: "https://shop.example", ADMIN_PORT: "3002", ...env });
    expect(message).toMatch(line);
    expect(message).not.toContain("\n");
  });
});

describe("the configuration of email", () => {
  test("without SMTP_URL and MAIL_FROM there is no email", () => {
    const none = { server: undefined, from: undefined };
    expect(mailOf({})).toEqual(none);
    expect(mailOf({ SMTP_URL: "", MAIL_FROM: " " })).toEqual(none);
  });

  test.each([
    [
      "smtp://127.0.0.1:2525",
      { host: "127.0.0.1", port: 2525, secure: false, login: undefined, isLoopback: true },
    ],
    [
      "smtp://localhost",
      { host: "localhost", port: 587, secure: false, login: undefined, isLoopback: true },
    ],
    [
      "smtp://[::1]:25/",
      { host: "::1", port: 25, secure: false, login: undefined, isLoopback: true },
    ],
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
    expect(mailOf({ SMTP_URL, MAIL_FROM }).server).toEqual(server);
  });

  test.each([
    ["orders@shop.example", { name: undefined, address: "orders@shop.example" }],
    ["<orders@shop.example>", { name: undefined, address: "orders@shop.example" }],
    ["Bits & Bobs <orders@shop.example>", { name: "Bits & Bobs", address: "orders@shop.example" }],
    ['"Bits, Bobs" <orders@shop.example>', { name: "Bits, Bobs", address: "orders@shop.example" }],
  ])("MAIL_FROM=%s is read", (from, read) => {
    expect(mailOf({ SMTP_URL: "smtp://localhost", MAIL_FROM: from }).from).toEqual(read);
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
  ])("SMTP_URL=%s is refused with one line that has an example", (SMTP_URL) => {
    const message = refusal({ SMTP_URL, MAIL_FROM });
    expect(message).toMatch(/^SMTP_URL: got .* expected a URL such as /);
    expect(message).not.toContain("\n");
  });

  test("the message for an invalid URL does not contain its password", () => {
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

  test("SMTP_URL and MAIL_FROM can each be left to the admin", () => {
    expect(mailOf({ SMTP_URL: "smtp://localhost" })).toMatchObject({
      server: { host: "localhost" },
      from: undefined,
    });
    expect(mailOf({ MAIL_FROM })).toMatchObject({
      server: undefined,
      from: { address: MAIL_FROM },
    });
  });
});

test.each([
  ["help@shop.example", "help@shop.example"],
  ["https://shop.example/help", "https://shop.example/help"],
  ["\u202a help@shop.example \u202c", "help@shop.example"],
])("SHOP_CONTACT=%s is accepted", (given, contact) =>
  expect(readConfig({ ...needed, SHOP_CONTACT: given }).shopContact).toBe(contact),
);

test.each([
  ["", "Keepsats"],
  [" Bits & <Bobs> ", "Bits & <Bobs>"],
  ["Caf\u00e9\u202e", "Caf\u00e9"],
])("SHOP_NAME=%j is read as %j", (given, name) =>
  expect(readConfig({ ...needed, SHOP_NAME: given }).shopName).toBe(name),
);

test.each([
  "me",
  "a@b.example?bcc=eve@evil.example",
  "a@b.example,c@d.example",
  "https://shop.example/two words",
])("SHOP_CONTACT=%s is refused, like the shop setting", (contact) =>
  expect(refusal({ SHOP_CONTACT: contact })).toMatch(
    /^SHOP_CONTACT: got .* expected an email address/,
  ),
);
