import type { DeskSession } from "@keepsats/protocol";

/** A section of the settings, at an address of its own below `/settings`. */
export interface SettingsSection {
  readonly path: string;
  readonly label: string;
  /** Whether there is nothing in it for staff who are no owners. */
  readonly isForOwners: boolean;
}

/** The sections of the settings in groups; a group with a title stands apart. */
const groups: readonly { readonly title?: string; readonly sections: readonly SettingsSection[] }[] = [
  {
    sections: [
      { path: "", label: "Shop", isForOwners: true },
      { path: "mail", label: "Mail", isForOwners: false },
      { path: "staff", label: "Staff", isForOwners: true },
      { path: "sessions", label: "Sessions", isForOwners: false },
    ],
  },
  {
    title: "For developers",
    sections: [
      { path: "webhooks", label: "Webhooks", isForOwners: true },
      { path: "tokens", label: "API tokens", isForOwners: true },
      { path: "machine", label: "Machine", isForOwners: true },
    ],
  },
];

type Role = DeskSession["staff"]["role"];

/** The groups with the sections that somebody can use. */
export function groupsFor(role: Role): typeof groups {
  return groups
    .map((group) => ({
      ...group,
      sections: group.sections.filter(({ isForOwners }) => role === "owner" || !isForOwners),
    }))
    .filter(({ sections }) => sections.length > 0);
}

/** The address of a section. */
export function sectionPath({ path }: SettingsSection): string {
  return path === "" ? "/settings" : `/settings/${path}`;
}

/** The section at an address, such as `/settings/mail`; `undefined` for none. */
export function sectionAt(pathname: string): SettingsSection | undefined {
  const wanted = pathname.replace(/^\/settings\/?/, "").replace(/\/$/, "");
  return groups.flatMap(({ sections }) => sections).find(({ path }) => path === wanted);
}
