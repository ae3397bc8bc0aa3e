import { ApiError } from "@keepsats/client";
import { expect, test } from "vitest";
import { refusalText } from "./refusal-text.ts";

test.each([
  [401, "link", "This link has expired or was already used. Ask for a new one."],
  [422, "link", "This link has expired or was already used. Ask for a new one."],
  [401, "passkey", "The shop does not know this passkey. Use another one, or a sign-in link."],
  [429, "link", "There were too many attempts. Wait a minute, then try again."],
  [500, "passkey", "You could not be signed in. Try again in a moment."],
] as const)("an answer %i to a sign-in by %s is told as: %s", (status, by, text) => {
  expect(refusalText(new ApiError("POST", { status, problem: undefined }), by)).toBe(text);
});

test("a shop that cannot be reached, and a passkey that the browser does not give, are told apart", () => {
  expect(refusalText(new ApiError("POST"), "link")).toMatch(/^The shop could not be reached/);
  expect(refusalText(new DOMException("", "NotAllowedError"), "passkey")).toMatch(
    /^The browser gave no passkey/,
  );
});
