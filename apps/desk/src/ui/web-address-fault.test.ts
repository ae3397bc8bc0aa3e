import { expect, test } from "vitest";
import { webAddressFault } from "./web-address-fault.ts";

test.each(["dhl.example/1", "javascript:alert(1)", "https://", "https://a b", ""])(
  "%j is no address of a page",
  (text) => {
    expect(webAddressFault(text)).toMatch(/starts with https/);
  },
);

test("an address of a page has no fault", () => {
  expect(webAddressFault("https://dhl.example/track?id=1")).toBeUndefined();
});
