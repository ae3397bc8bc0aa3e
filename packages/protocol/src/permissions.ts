/** The roles of staff and of API tokens. */
export const roles = ["owner", "staff", "packer"] as const;
export type Role = (typeof roles)[number];

/**
 * Maps each permission to the roles that have it. Every role is listed, so a new role does not
 * compile until each permission decides.
 */
const rolesOf = {
  /**
   * See orders without money, emails and billing addresses, ship and deliver them, correct their
   * tracking, add notes.
   */
  "orders:pack": { owner: true, staff: true, packer: true },
  "orders:read": { owner: true, staff: true, packer: false },
  "orders:write": { owner: true, staff: true, packer: false },
  "orders:erase": { owner: true, staff: true, packer: false },
  /** Revoke all earlier order links. */
  "order-links:revoke": { owner: true, staff: false, packer: false },
  "payments:read": { owner: true, staff: true, packer: false },
  /** Record refunds and resolve payment issues. */
  "payments:write": { owner: true, staff: true, packer: false },
  "items:read": { owner: true, staff: true, packer: false },
  "items:write": { owner: true, staff: true, packer: false },
  "reports:read": { owner: true, staff: true, packer: false },
  /** See failed deliveries and retry them; failed webhooks need `webhooks:manage` too. */
  "deliveries:manage": { owner: true, staff: true, packer: false },
  "emails:test": { owner: true, staff: false, packer: false },
  "webhooks:manage": { owner: true, staff: false, packer: false },
  "settings:manage": { owner: true, staff: false, packer: false },
  "server-settings:read": { owner: true, staff: false, packer: false },
  /** Invite and remove staff, make their sign-in links, remove their passkeys. */
  "staff:manage": { owner: true, staff: false, packer: false },
  "tokens:manage": { owner: true, staff: false, packer: false },
  /** See and end one's own sessions. */
  "sessions:own": { owner: true, staff: true, packer: true },
  "sessions:all": { owner: true, staff: false, packer: false },
} as const satisfies Readonly<Record<string, Readonly<Record<Role, boolean>>>>;

/** A permission that a route of the admin API, or a part of the admin, requires. */
export type Permission = keyof typeof rolesOf;

/** An unknown role, sent by a newer server, has no permission. */
export function hasPermission(role: Role, permission: Permission): boolean {
  return rolesOf[permission][role] === true;
}
