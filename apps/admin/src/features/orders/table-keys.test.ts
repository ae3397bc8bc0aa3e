import { expect, test } from "vitest";
import { keyAction, nextRow } from "./table-keys.ts";

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
])("the key %s has the action %s", (key, action) => {
  expect(keyAction(press(key), false)).toBe(action);
});

test("keys do nothing while a text field has the focus", () => {
  expect(keyAction(press("j", { tagName: "INPUT", type: "search" }), false)).toBeUndefined();
  expect(keyAction(press("x", { tagName: "TEXTAREA" }), false)).toBeUndefined();
  expect(keyAction(press("j", { tagName: "SELECT" }), false)).toBeUndefined();
  expect(keyAction(press("j", { tagName: "INPUT", type: "checkbox" }), false)).toBe("down");
});

test("keys do nothing behind a dialog or with a modifier", () => {
  expect(keyAction(press("j"), true)).toBeUndefined();
  expect(keyAction(press("k", null, { metaKey: true }), false)).toBeUndefined();
});

test("the focus starts at the first row and stays inside of the table", () => {
  expect(nextRow(-1, "down", 3)).toBe(0);
  expect(nextRow(0, "down", 3)).toBe(1);
  expect(nextRow(2, "down", 3)).toBe(2);
  expect(nextRow(0, "up", 3)).toBe(0);
});
