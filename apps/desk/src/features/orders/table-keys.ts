import { isKeyForPage, type PressedKey } from "../../lib/key-for-page.ts";

export type KeyAction = "down" | "up" | "select" | "search";

const actions: Readonly<Record<string, KeyAction>> = {
  j: "down",
  k: "up",
  x: "select",
  "/": "search",
};

/**
 * What a key does in a table. Nothing while somebody types or a dialog is open, and nothing with a
 * modifier.
 *
 * @param isDialogOpen whether a modal dialog is open
 */
export function keyAction(event: PressedKey, isDialogOpen: boolean): KeyAction | undefined {
  return isKeyForPage(event, isDialogOpen) ? actions[event.key] : undefined;
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
