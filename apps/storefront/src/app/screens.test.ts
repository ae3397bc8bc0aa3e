import { expect, test } from "vitest";
import { canonicalUrl, screenAt } from "./screens.ts";

test.each([
  ["/", "/"],
  ["/checkout", "/checkout"],
  ["/Checkout/", "/checkout"],
  ["/order//", "/order"],
  ["//", "/"],
  ["/orders", undefined],
  ["/checkout/now", undefined],
])("the path %s has the screen %s", (path, screen) => {
  expect(screenAt(path)).toBe(screen);
});

test.each([
  ["/Checkout//?a=B#C", "/checkout?a=B#C"],
  ["/order?orderId=x#key=Y", "/order?orderId=x#key=Y"],
  ["/orders?a=b", "/"],
])("the canonical URL of %s is %s", (url, canonical) => {
  expect(canonicalUrl(new URL(url, "https://shop.example"))).toBe(canonical);
});
