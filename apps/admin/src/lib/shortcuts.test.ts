import { expect, test } from "vitest";
import { appKeys, itemsKeys, ordersKeys } from "./screen-keys.ts";
import { pressedAction, type Shortcut } from "./shortcuts.ts";

function press(key: string, target: object | null = null, modifiers = {}) {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  return {
    key,
    target: target === null ? null : Object.assign(new EventTarget(), target),
    defaultPrevented: false,
    ...none,
    ...modifiers,
  };
}
const keys: readonly Shortcut<string>[] = [...appKeys, ...ordersKeys];

test.each([
  ["j", "down"],
  ["k", "up"],
  ["x", "select"],
  ["/", "search"],
  ["q", undefined],
])("the key %s has the action %s", (key, action) => {
  expect(pressedAction(keys, press(key), false)).toBe(action);
});

test("Ctrl or ⌘ with k finds, and with another modifier it belongs to the browser", () => {
  expect(pressedAction(keys, press("k", null, { ctrlKey: true }), false)).toBe("find");
  expect(pressedAction(keys, press("k", null, { metaKey: true }), false)).toBe("find");
  const both = { ctrlKey: true, altKey: true };
  expect(pressedAction(keys, press("k", null, both), false)).toBeUndefined();
  expect(pressedAction(keys, press("j", null, { metaKey: true }), false)).toBeUndefined();
});

test("a key that needs Shift on some keyboards works with it", () => {
  expect(pressedAction(appKeys, press("?", null, { shiftKey: true }), false)).toBe("list-keys");
  expect(pressedAction(itemsKeys, press("/", null, { shiftKey: true }), false)).toBe("search");
});

test.each([
  ["k", { ctrlKey: true }],
  ["?", { shiftKey: true }],
  ["j", {}],
])("the key %s does nothing while a text field has the focus", (key, modifiers) => {
  for (const target of [
    { tagName: "INPUT", type: "search" },
    { tagName: "TEXTAREA" },
    { tagName: "SELECT" },
  ])
    expect(pressedAction(keys, press(key, target, modifiers), false)).toBeUndefined();
  const box = { tagName: "INPUT", type: "checkbox" };
  expect(pressedAction(keys, press(key, box, modifiers), false)).toBeDefined();
});

test("keys do nothing behind a dialog, or once a field of the screen has used them", () => {
  expect(pressedAction(keys, press("j"), true)).toBeUndefined();
  expect(pressedAction(keys, press("j", null, { defaultPrevented: true }), false)).toBeUndefined();
});
