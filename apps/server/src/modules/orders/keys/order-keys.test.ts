import { describe, expect, test } from "vitest";
import { isOrderKey, orderKeyOf } from "./order-keys.ts";

const ORDER = "00000000-0000-4000-8000-000000000001";
const secret = Buffer.alloc(32, 1);

test("a key is 128 bits of HMAC-SHA-256 of the order's id, in base64url", () => {
  // printf %s ORDER | openssl dgst -sha256 -mac HMAC -macopt hexkey:0101… -binary | head -c 16 |
  // basenc --base64url
  expect(orderKeyOf(secret, ORDER)).toBe("vU9hrk2rP9eCpO3cYRJvbQ");
});

test("keys differ between orders and between shops", () => {
  const other = ORDER.replace(/1$/, "2");
  const key = orderKeyOf(secret, ORDER);
  const elsewhere = orderKeyOf(Buffer.alloc(32, 2), ORDER);
  expect(new Set([key, orderKeyOf(secret, other), elsewhere]).size).toBe(3);
  expect(isOrderKey(secret, other, key)).toBe(false);
});

describe("only the whole key is the key:", () => {
  const right = orderKeyOf(secret, ORDER);
  const last = right.endsWith("A") ? "B" : "A";
  test.each([
    ["itself", right, true],
    ["nothing", "", false],
    ["its beginning", right.slice(0, -1), false],
    ["more than it", `${right}=`, false],
    ["another last character", `${right.slice(0, -1)}${last}`, false],
    ["as many characters of several bytes", "ä".repeat(right.length), false],
    ["a very long text", "x".repeat(10_000), false],
  ])("%s", (_, given, is) => {
    expect(isOrderKey(secret, ORDER, given)).toBe(is);
  });
});
