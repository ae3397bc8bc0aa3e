import { hasPermission, type Permission, paths, type Role } from "@keepsats/protocol";
import { groupsFor, sectionPath } from "../../features/settings/settings-sections.ts";
import { entriesFor } from "../navigation.tsx";

/** The effect of a command. `path` is an address of the admin, except in a download. */
export type Effect =
  | { readonly kind: "go"; readonly path: string }
  | { readonly kind: "download"; readonly path: string; readonly file: string }
  | { readonly kind: "view-shop" }
  | { readonly kind: "list-keys" }
  | { readonly kind: "sign-out" };

export interface Command {
  readonly id: string;
  readonly label: string;
  /** Beside the label, such as the status of an order. */
  readonly detail?: string;
  readonly effect: Effect;
}

export interface CommandGroup {
  readonly title: string;
  readonly items: readonly Command[];
}

interface PermittedCommand {
  readonly label: string;
  /** Not for commands without the API. */
  readonly permission?: Permission;
  readonly effect: Effect;
}

export const go = (path: string): Effect => ({ kind: "go", path });
const download = (path: string, file: string): Effect => ({ kind: "download", path, file });

/** Screens without an entry in the menu. */
const lists: readonly PermittedCommand[] = [
  {
    label: "Orders to ship",
    permission: "orders:pack",
    effect: go("/orders?status=PaymentProcessed"),
  },
  { label: "Open returns", permission: "orders:read", effect: go("/returns") },
];

const actions: readonly PermittedCommand[] = [
  { label: "Add an item", permission: "items:write", effect: go("/items?open=new") },
  { label: "Import items", permission: "items:write", effect: go("/items?open=import") },
  {
    label: "Export orders as CSV",
    permission: "orders:read",
    effect: download(paths.admin.ordersCsv, "orders.csv"),
  },
  {
    label: "Export items as CSV",
    permission: "items:read",
    effect: download(paths.admin.itemsCsv, "items.csv"),
  },
  { label: "View shop", effect: { kind: "view-shop" } },
  { label: "List the keys of this screen", effect: { kind: "list-keys" } },
  { label: "Sign out", effect: { kind: "sign-out" } },
];

/** The screens and actions that the role permits. */
export function commandsFor(role: Role): readonly CommandGroup[] {
  const permitted = (commands: readonly PermittedCommand[]): readonly Command[] =>
    commands
      .filter(({ permission }) => permission === undefined || hasPermission(role, permission))
      .map(({ label, effect }) => ({ id: label, label, effect }));
  const screens = entriesFor(role).map(({ path, label }) => screen(label, path));
  const sections = groupsFor(role).flatMap(({ sections }) =>
    sections.map((section) => screen(`Settings: ${section.label}`, sectionPath(section))),
  );
  return [
    { title: "Screens", items: [...screens, ...permitted(lists), ...sections] },
    { title: "Actions", items: permitted(actions) },
  ];
}

const screen = (label: string, path: string): Command => ({ id: label, label, effect: go(path) });

/** The commands with all words of a text, without empty groups. */
export function foundCommands(groups: readonly CommandGroup[], text: string): CommandGroup[] {
  const words = text.toLowerCase().split(/\s+/);
  return groups
    .map(({ title, items }) => ({
      title,
      items: items.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word))),
    }))
    .filter(({ items }) => items.length > 0);
}
