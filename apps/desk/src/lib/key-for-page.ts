/** The parts of a keyboard event that {@link isKeyForPage} needs. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly target: EventTarget | null;
}

/**
 * Whether a key may be a shortcut of the page. It is not while somebody types or a dialog is open,
 * and not with a modifier, which is for the browser.
 *
 * @param isDialogOpen whether a modal dialog is open
 */
export function isKeyForPage(
  { ctrlKey, metaKey, altKey, target }: PressedKey,
  isDialogOpen: boolean,
): boolean {
  return !(isDialogOpen || ctrlKey || metaKey || altKey || isTyping(target));
}

const withoutText = ["checkbox", "radio", "button", "submit"];

function isTyping(target: EventTarget | null): boolean {
  if (target === null || !("tagName" in target)) return false;
  if (target.tagName === "INPUT")
    return !("type" in target && withoutText.includes(String(target.type)));
  return target.tagName === "TEXTAREA" || target.tagName === "SELECT";
}
