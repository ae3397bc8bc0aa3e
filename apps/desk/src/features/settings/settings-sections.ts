import { hasPermission, type Permission, type TokenRole } from "@keepsats/protocol";

/** A section of the settings, at an address of its own below `/settings`. */
export interface SettingsSection {
  readonly path: string;
  readonly label: string;
  readonly permission: Permission;
}

/** The sections of the settings in groups; a group with a title stands apart. */
const groups: readonly {
  readonly title?: string;
  readonly sections: readonly SettingsSection[];
}[] = [
  {
    sections: [
      { path: "", label: "Shop", permission: "settings:manage" },
      { path: "mail", label: "Email", permission: "deliveries:manage" },
      { path: "staff", label: "Staff", permission: "staff:manage" },
      { path: "sessions", label: "Sessions", permission: "sessions:own" },
    ],
  },
  {
    title: "For developers",
    sections: [
      { path: "webhooks", label: "Webhooks", permission: "webhooks:manage" },
      { path: "tokens", label: "API tokens", permission: "tokens:manage" },
      { path: "machine", label: "Machine", permission: "server-settings:read" },
    ],
  },
];

/** The groups with the sections that a role can use. */
export function groupsFor(role: TokenRole): typeof groups {
  return groups
    .map((group) => ({
      ...group,
      sections: group.sections.filter(({ permission }) => hasPermission(role, permission)),
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
