import { useEffect, useEffectEvent } from "react";

/** `defaultPrevented`: whether a field of the screen has used the key. */
type PressedKey = Pick<
  KeyboardEvent,
  "key" | "ctrlKey" | "metaKey" | "altKey" | "target" | "defaultPrevented"
>;

/**
 * The name of a pressed shortcut, such as `j`, or `Ctrl k` also for ⌘ on a Mac; `undefined` while a
 * text field has the focus or a modal dialog is open, and with Alt, which belongs to the browser.
 * Shift may be needed to type a key, as for `?`.
 */
export function pressedShortcut(event: PressedKey, isDialogOpen: boolean): string | undefined {
  if (isDialogOpen || event.altKey || event.defaultPrevented || isTyping(event.target))
    return undefined;
  return event.ctrlKey || event.metaKey ? `Ctrl ${event.key}` : event.key;
}

const inputsWithoutText = ["checkbox", "radio", "button", "submit"];

function isTyping(target: EventTarget | null): boolean {
  if (target === null || !("tagName" in target)) return false;
  if (target.tagName === "INPUT")
    return !("type" in target && inputsWithoutText.includes(String(target.type)));
  return target.tagName === "TEXTAREA" || target.tagName === "SELECT";
}

/** Handles shortcuts while a component is mounted. Add them to the list of `keys-dialog.tsx`. */
export function useShortcuts(shortcuts: ReadonlyMap<string, () => void>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isDialogOpen = document.querySelector("dialog:modal") !== null;
    const act = shortcuts.get(pressedShortcut(event, isDialogOpen) ?? "");
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}
