import { expect, test } from "vitest";
import { keyAction, nextPlace } from "./table-keys.ts";

function press(key: string, target: object | null = null, modifiers = {}) {
  const none = { ctrlKey: false, metaKey: false, altKey: false };
  return {
    key,
    target: target === null ? null : Object.assign(new EventTarget(), target),
    ...none,
    ...modifiers,
  };
}

test.each([
  ["j", "down"],
  ["k", "up"],
  ["x", "select"],
  ["/", "search"],
  ["q", undefined],
])("the key %s does %s", (key, action) => {
  expect(keyAction(press(key), false)).toBe(action);
});

test("keys do nothing while somebody types", () => {
  expect(keyAction(press("j", { tagName: "INPUT", type: "search" }), false)).toBeUndefined();
  expect(keyAction(press("x", { tagName: "TEXTAREA" }), false)).toBeUndefined();
  expect(keyAction(press("j", { tagName: "SELECT" }), false)).toBeUndefined();
  expect(keyAction(press("j", { tagName: "INPUT", type: "checkbox" }), false)).toBe("down");
});

test("keys do nothing behind a dialog, and with a modifier they are the browser's", () => {
  expect(keyAction(press("j"), true)).toBeUndefined();
  expect(keyAction(press("k", null, { metaKey: true }), false)).toBeUndefined();
});

test("the focus goes to the first row first, and stays inside of the table", () => {
  expect(nextPlace(-1, "down", 3)).toBe(0);
  expect(nextPlace(0, "down", 3)).toBe(1);
  expect(nextPlace(2, "down", 3)).toBe(2);
  expect(nextPlace(0, "up", 3)).toBe(0);
});
