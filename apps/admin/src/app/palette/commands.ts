import { hasPermission, type Permission, paths, type Role } from "@keepsats/protocol";
import type { NavigateFunction } from "react-router";
import { groupsFor, sectionPath } from "../../features/settings/settings-sections.ts";
import { startDownload } from "../../ui/download.tsx";
import { entriesFor } from "../navigation.tsx";

/** The parts of the admin that commands act on. */
export interface CommandTarget {
  readonly navigate: NavigateFunction;
  readonly shopUrl: string;
  readonly listKeys: () => void;
  readonly signOut: () => void;
}

export interface Command {
  readonly id: string;
  readonly label: string;
  /** Beside the label, such as the status of an order. */
  readonly detail?: string;
  readonly run: (target: CommandTarget) => void;
}

export interface CommandGroup {
  readonly title: string;
  readonly items: readonly Command[];
}

interface PermittedCommand extends Pick<Command, "label" | "run"> {
  /** Not for commands without the API. */
  readonly permission?: Permission;
}

/** @param path an address of the admin */
export const go =
  (path: string): Command["run"] =>
  ({ navigate }) =>
    void navigate(path);

/** Screens without an entry in the menu. */
const lists: readonly PermittedCommand[] = [
  {
    label: "Orders to ship",
    permission: "orders:pack",
    run: go("/orders?status=PaymentProcessed"),
  },
  { label: "Open returns", permission: "orders:read", run: go("/returns") },
];

const actions: readonly PermittedCommand[] = [
  { label: "Add an item", permission: "items:write", run: go("/items?open=new") },
  { label: "Import items", permission: "items:write", run: go("/items?open=import") },
  {
    label: "Export orders as CSV",
    permission: "orders:read",
    run: () => startDownload(paths.admin.ordersCsv, "orders.csv"),
  },
  {
    label: "Export items as CSV",
    permission: "items:read",
    run: () => startDownload(paths.admin.itemsCsv, "items.csv"),
  },
  { label: "View shop", run: ({ shopUrl }) => void window.open(shopUrl, "_blank", "noopener") },
  { label: "List the keys of this screen", run: ({ listKeys }) => listKeys() },
  { label: "Sign out", run: ({ signOut }) => signOut() },
];

/** The screens and actions that the role permits. */
export function commandsFor(role: Role): readonly CommandGroup[] {
  const permitted = (commands: readonly PermittedCommand[]): readonly Command[] =>
    commands
      .filter(({ permission }) => permission === undefined || hasPermission(role, permission))
      .map(({ label, run }) => ({ id: label, label, run }));
  const screens = entriesFor(role).map(({ path, label }) => screen(label, path));
  const sections = groupsFor(role).flatMap(({ sections }) =>
    sections.map((section) => screen(`Settings: ${section.label}`, sectionPath(section))),
  );
  return [
    { title: "Screens", items: [...screens, ...permitted(lists), ...sections] },
    { title: "Actions", items: permitted(actions) },
  ];
}

const screen = (label: string, path: string): Command => ({ id: label, label, run: go(path) });

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
