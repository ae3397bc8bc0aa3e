/** The parts of a keyboard event that {@link isShortcut} needs. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly target: EventTarget | null;
}

/**
 * Whether a key may be a shortcut of the page: not while a text field has the focus or a modal
 * dialog is open, and not with a modifier, which belongs to the browser.
 */
export function isShortcut(
  { ctrlKey, metaKey, altKey, target }: PressedKey,
  isDialogOpen: boolean,
): boolean {
  return !(isDialogOpen || ctrlKey || metaKey || altKey || isTyping(target));
}

const inputsWithoutText = ["checkbox", "radio", "button", "submit"];

function isTyping(target: EventTarget | null): boolean {
  if (target === null || !("tagName" in target)) return false;
  if (target.tagName === "INPUT")
    return !("type" in target && inputsWithoutText.includes(String(target.type)));
  return target.tagName === "TEXTAREA" || target.tagName === "SELECT";
}
