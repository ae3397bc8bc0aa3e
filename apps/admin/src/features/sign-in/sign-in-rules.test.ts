import { ApiError } from "@keepsats/client";
import { expect, test, vi } from "vitest";
import { signInErrorText, takeLink } from "./sign-in-rules.ts";

function browserAt(pathname: string, hash: string) {
  return { location: { pathname, hash }, history: { replaceState: vi.fn() } };
}

test("the secret of a sign-in link is removed from the address", () => {
  const browser = browserAt("/sign-in", "#abc-DEF_1");
  expect(takeLink(browser)).toBe("abc-DEF_1");
  expect(browser.history.replaceState).toHaveBeenCalledWith(null, "", "/sign-in");
});

test.each([
  ["/sign-in", ""],
  ["/sign-in", "#"],
  ["/orders", "#main"],
])("the address %s%s has no secret and does not change", (pathname, hash) => {
  const browser = browserAt(pathname, hash);
  expect(takeLink(browser)).toBeUndefined();
  expect(browser.history.replaceState).not.toHaveBeenCalled();
});

test.each([
  [401, "link", "This link has expired or was already used. Ask for a new one."],
  [422, "link", "This link has expired or was already used. Ask for a new one."],
  [401, "passkey", "The shop does not know this passkey. Use another one, or a sign-in link."],
  [429, "link", "There were too many attempts. Wait a minute, then try again."],
  [500, "passkey", "You could not be signed in. Try again in a moment."],
] as const)("a response %i to a sign-in by %s reads: %s", (status, by, text) => {
  expect(signInErrorText(new ApiError("POST", { status, problem: undefined }), by)).toBe(text);
});

test("an unreachable shop and a missing passkey have different texts", () => {
  expect(signInErrorText(new ApiError("POST"), "link")).toMatch(/^The shop could not be reached/);
  expect(signInErrorText(new DOMException("", "NotAllowedError"), "passkey")).toMatch(
    /^The browser did not provide a passkey/,
  );
});
