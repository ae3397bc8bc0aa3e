import { expect, test } from "vitest";
import { pressedShortcut } from "./shortcuts.ts";

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

test("a key is its own shortcut", () => {
  expect(pressedShortcut(press("j"), false)).toBe("j");
});

test("Ctrl and ⌘ are the same, and Alt belongs to the browser", () => {
  expect(pressedShortcut(press("k", null, { ctrlKey: true }), false)).toBe("Ctrl k");
  expect(pressedShortcut(press("k", null, { metaKey: true }), false)).toBe("Ctrl k");
  const both = { ctrlKey: true, altKey: true };
  expect(pressedShortcut(press("k", null, both), false)).toBeUndefined();
});

test("a key that needs Shift on some keyboards works with it", () => {
  expect(pressedShortcut(press("?", null, { shiftKey: true }), false)).toBe("?");
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
    expect(pressedShortcut(press(key, target, modifiers), false)).toBeUndefined();
  const box = { tagName: "INPUT", type: "checkbox" };
  expect(pressedShortcut(press(key, box, modifiers), false)).toBeDefined();
});

test("keys do nothing behind a dialog, or once a field of the screen has used them", () => {
  expect(pressedShortcut(press("j"), true)).toBeUndefined();
  expect(pressedShortcut(press("j", null, { defaultPrevented: true }), false)).toBeUndefined();
});
