import { hasPermission, type Permission, type Role } from "@keepsats/protocol";

/** A section of the settings at its own address below `/settings`. */
export interface SettingsSection {
  readonly path: string;
  readonly label: string;
  readonly permission: Permission;
}

/** A group with a title is shown apart. */
const groups: readonly {
  readonly title?: string;
  readonly sections: readonly SettingsSection[];
}[] = [
  {
    sections: [
      { path: "", label: "Shop", permission: "settings:manage" },
      { path: "email", label: "Email", permission: "deliveries:manage" },
      { path: "staff", label: "Staff", permission: "staff:manage" },
      { path: "sessions", label: "Sessions", permission: "sessions:own" },
    ],
  },
  {
    title: "For developers",
    sections: [
      { path: "webhooks", label: "Webhooks", permission: "webhooks:manage" },
      { path: "tokens", label: "API tokens", permission: "tokens:manage" },
      { path: "server", label: "Server settings", permission: "server-settings:read" },
    ],
  },
];

/** The sections that the role permits, without empty groups. */
export function groupsFor(role: Role): typeof groups {
  return groups
    .map((group) => ({
      ...group,
      sections: group.sections.filter(({ permission }) => hasPermission(role, permission)),
    }))
    .filter(({ sections }) => sections.length > 0);
}

export function sectionPath({ path }: SettingsSection): string {
  return path === "" ? "/settings" : `/settings/${path}`;
}

/** The section at an address such as `/settings/email`. */
export function sectionAt(pathname: string): SettingsSection | undefined {
  const wanted = pathname.replace(/^\/settings\/?/, "").replace(/\/$/, "");
  return groups.flatMap(({ sections }) => sections).find(({ path }) => path === wanted);
}
