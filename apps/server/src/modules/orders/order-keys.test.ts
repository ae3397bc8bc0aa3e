import { describe, expect, test } from "vitest";
import { createOrderKeys } from "./order-keys.ts";

const ORDER = "00000000-0000-4000-8000-000000000001";
const keys = createOrderKeys(Buffer.alloc(32, 1));

test("a key is 128 bits of HMAC-SHA-256 of the order's id, in base64url", () => {
  // printf %s ORDER | openssl dgst -sha256 -mac HMAC -macopt hexkey:0101… -binary | head -c 16 |
  // basenc --base64url
  expect(keys.keyOf(ORDER)).toBe("vU9hrk2rP9eCpO3cYRJvbQ");
  expect(keys.keyOf(ORDER)).toBe(createOrderKeys(Buffer.alloc(32, 1)).keyOf(ORDER));
});

test("keys differ between orders and between shops", () => {
  const other = ORDER.replace(/1$/, "2");
  const elsewhere = createOrderKeys(Buffer.alloc(32, 2));
  expect(new Set([keys.keyOf(ORDER), keys.keyOf(other), elsewhere.keyOf(ORDER)]).size).toBe(3);
  expect(keys.isKeyOf(other, keys.keyOf(ORDER))).toBe(false);
});

describe("only the whole key is the key:", () => {
  const right = keys.keyOf(ORDER);
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
    expect(keys.isKeyOf(ORDER, given)).toBe(is);
  });
});
