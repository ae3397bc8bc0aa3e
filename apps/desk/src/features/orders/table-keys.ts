export type KeyAction = "down" | "up" | "select" | "search";

const actions: Readonly<Record<string, KeyAction>> = { j: "down", k: "up", x: "select", "/": "search" };

/** The parts of a keyboard event that {@link keyAction} needs. */
interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly target: EventTarget | null;
}

/**
 * What a key does in a table. Nothing while somebody types or a dialog is open, and nothing with a modifier, which is for the browser.
 *
 * @param isDialogOpen whether a modal dialog is open
 */
export function keyAction(event: Key, isDialogOpen: boolean): KeyAction | undefined {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (isDialogOpen || ctrlKey || metaKey || altKey || isTyping(target)) return undefined;
  return actions[key];
}

const withoutText = ["checkbox", "radio", "button", "submit"];

function isTyping(target: EventTarget | null): boolean {
  if (target === null || !("tagName" in target)) return false;
  if (target.tagName === "INPUT") return !("type" in target && withoutText.includes(String(target.type)));
  return target.tagName === "TEXTAREA" || target.tagName === "SELECT";
}

/**
 * The row that is next, from 0.
 *
 * @param present the row that has the focus; -1 for none
 * @param rows how many rows there are
 */
export function nextPlace(present: number, direction: "down" | "up", rows: number): number {
  if (present === -1) return 0;
  const next = direction === "down" ? present + 1 : present - 1;
  return Math.max(0, Math.min(rows - 1, next));
}
