import { useEffect } from "react";

/** A key of a screen, as the table of keys lists it and its handler reads it. */
export interface Shortcut<Action extends string> {
  /** As in a keyboard event. */
  readonly key: string;
  /** `ctrl` is ⌘ on a Mac. Without a modifier, Shift may be needed to type the key, as for `?`. */
  readonly modifier?: "ctrl";
  readonly action: Action;
  /** The effect, for staff. */
  readonly text: string;
}

/** `defaultPrevented`: whether a field of the screen has used the key. */
type PressedKey = Pick<
  KeyboardEvent,
  "key" | "ctrlKey" | "metaKey" | "altKey" | "target" | "defaultPrevented"
>;

/**
 * The action of a key: none while a text field has the focus or a modal dialog is open, nor with
 * another modifier, which belongs to the browser.
 */
export function pressedAction<Action extends string>(
  shortcuts: readonly Shortcut<Action>[],
  event: PressedKey,
  isDialogOpen: boolean,
): Action | undefined {
  if (isDialogOpen || event.altKey || event.defaultPrevented || isTyping(event.target))
    return undefined;
  const hasCtrl = event.ctrlKey || event.metaKey;
  return shortcuts.find(
    ({ key, modifier }) => key === event.key && hasCtrl === (modifier === "ctrl"),
  )?.action;
}

const inputsWithoutText = ["checkbox", "radio", "button", "submit"];

function isTyping(target: EventTarget | null): boolean {
  if (target === null || !("tagName" in target)) return false;
  if (target.tagName === "INPUT")
    return !("type" in target && inputsWithoutText.includes(String(target.type)));
  return target.tagName === "TEXTAREA" || target.tagName === "SELECT";
}

/**
 * Handles shortcuts while a component is mounted.
 *
 * @param act must be a stable function. It prevents the default of keys that it handles.
 */
export function useShortcuts<Action extends string>(
  shortcuts: readonly Shortcut<Action>[],
  act: (action: Action, event: KeyboardEvent) => void,
): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const isDialogOpen = document.querySelector("dialog:modal") !== null;
      const action = pressedAction(shortcuts, event, isDialogOpen);
      if (action !== undefined) act(action, event);
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [shortcuts, act]);
}
