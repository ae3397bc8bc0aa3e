/** The sections of the settings, each at an address of its own below `/settings`. */
export const sections = [
  { path: "", label: "Shop" },
  { path: "mail", label: "Mail" },
  { path: "webhooks", label: "Webhooks" },
  { path: "staff", label: "Staff" },
  { path: "sessions", label: "Sessions" },
  { path: "tokens", label: "API tokens" },
  { path: "machine", label: "Machine" },
] as const;

/** The section at an address, such as `/settings/mail`; `undefined` for none. */
export function sectionAt(pathname: string): (typeof sections)[number] | undefined {
  const wanted = pathname.replace(/^\/settings\/?/, "").replace(/\/$/, "");
  return sections.find(({ path }) => path === wanted);
}
