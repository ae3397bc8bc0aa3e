import type { Shortcut } from "./shortcuts.ts";

export type AppAction = "find" | "list-keys";
export type OrdersAction = "down" | "up" | "select" | "search";
export type ItemsAction = "search";

export const appKeys: readonly Shortcut<AppAction>[] = [
  { key: "k", modifier: "ctrl", action: "find", text: "Find orders, items, screens and actions" },
  { key: "?", action: "list-keys", text: "List the keys of this screen" },
];

export const ordersKeys: readonly Shortcut<OrdersAction>[] = [
  { key: "j", action: "down", text: "Next order" },
  { key: "k", action: "up", text: "Previous order" },
  { key: "x", action: "select", text: "Select the order" },
  { key: "/", action: "search", text: "Search" },
];

export const itemsKeys: readonly Shortcut<ItemsAction>[] = [
  { key: "/", action: "search", text: "Search" },
];

/** Whether a key without a modifier is a shortcut of the items, rather than the start of an edit. */
export function isItemsKey(pressed: string): boolean {
  return [...appKeys, ...itemsKeys].some(
    ({ key, modifier }) => key === pressed && modifier === undefined,
  );
}

interface ListedKey {
  /** Pressed together. */
  readonly keys: readonly string[];
  readonly text: string;
}

interface KeyGroup {
  readonly title: string;
  readonly keys: readonly ListedKey[];
}

/** Keys that the browser or a focused element handles. */
const orderRowKeys: readonly ListedKey[] = [
  { keys: ["Enter"], text: "Open the order" },
  { keys: ["Shift", "click"], text: "Select a range" },
];
const itemRowKeys: readonly ListedKey[] = [
  { keys: ["Enter"], text: "Edit the focused field, or save it" },
  { keys: ["Esc"], text: "Discard the edit" },
  { keys: ["↑"], text: "On a handle: move the item up" },
  { keys: ["↓"], text: "On a handle: move the item down" },
  { keys: ["Shift", "click"], text: "On a checkbox: select a range" },
];

/** The keys of the screen at an address, and those of all screens. */
export function keysAt(pathname: string): readonly KeyGroup[] {
  const all = { title: "All screens", keys: appKeys.map(listed) };
  switch (pathname) {
    case "/orders":
      return [{ title: "Orders", keys: [...ordersKeys.map(listed), ...orderRowKeys] }, all];
    case "/items":
      return [{ title: "Items", keys: [...itemsKeys.map(listed), ...itemRowKeys] }, all];
    default:
      return [all];
  }
}

function listed({ key, modifier, text }: Shortcut<string>): ListedKey {
  return { keys: modifier === undefined ? [key] : ["Ctrl", key], text };
}
