import { expect, test, vi } from "vitest";
import { takeLink } from "./link-in-address.ts";

function browserAt(pathname: string, hash: string) {
  return { location: { pathname, hash }, history: { replaceState: vi.fn() } };
}

test("the secret of a sign-in link is taken out of the address", () => {
  const browser = browserAt("/sign-in", "#abc-DEF_1");
  expect(takeLink(browser)).toBe("abc-DEF_1");
  expect(browser.history.replaceState).toHaveBeenCalledWith(null, "", "/sign-in");
});

test.each([
  ["/sign-in", ""],
  ["/sign-in", "#"],
  ["/orders", "#main"],
])("the address %s%s has no secret and stays", (pathname, hash) => {
  const browser = browserAt(pathname, hash);
  expect(takeLink(browser)).toBeUndefined();
  expect(browser.history.replaceState).not.toHaveBeenCalled();
});
