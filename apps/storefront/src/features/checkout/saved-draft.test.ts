import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCheckoutSession } from "./checkout-session.ts";
import { blankDraft } from "./order-request.ts";
import { saveDraft, savedDraft } from "./saved-draft.ts";

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("typed details survive a reload, until they are removed", () => {
  const draft = { ...blankDraft(), customer_name: "Ada", sameBilling: false };
  saveDraft(draft);
  expect(createCheckoutSession().draft).toEqual(draft);
  saveDraft(undefined);
  expect(stored.size).toBe(0);
  expect(savedDraft()).toBeUndefined();
});

test.each(["{", "null", '{"customer_name":1}', "[]"])(
  "details in another format are ignored: %s",
  (text) => {
    saveDraft(blankDraft());
    for (const key of stored.keys()) stored.set(key, text);
    expect(savedDraft()).toBeUndefined();
  },
);
