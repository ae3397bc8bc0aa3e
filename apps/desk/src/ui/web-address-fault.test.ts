import { expect, test } from "vitest";
import { webAddressFault } from "./web-address-fault.ts";

test.each(["dhl.example/1", "javascript:alert(1)", "https://", "https://a b", ""])(
  "%j is not a web address",
  (text) => {
    expect(webAddressFault(text)).toMatch(/starts with https/);
  },
);

test("a valid web address has no error", () => {
  expect(webAddressFault("https://dhl.example/track?id=1")).toBeUndefined();
});
