import { expect, test } from "vitest";
import { screenAt } from "./screens.ts";

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
