import { ApiError } from "@keepsats/client";
import { expect, test } from "vitest";
import { linkIn, signInErrorText } from "./sign-in-rules.ts";

test.each([
  ["/sign-in", "#abc-DEF_1", "abc-DEF_1"],
  ["/sign-in", "", undefined],
  ["/sign-in", "#", undefined],
  ["/orders", "#main", undefined],
])("the sign-in link in %s%s is %j", (pathname, hash, link) => {
  expect(linkIn({ pathname, hash })).toBe(link);
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
