import { expect, test } from "vitest";
import { hasPermission, type Permission, type Role, roles } from "./permissions.ts";

test("an unknown role has no permission", () => {
  const unknown: Role = JSON.parse('"picker"');
  expect(hasPermission(unknown, "orders:read")).toBe(false);
  expect(hasPermission(JSON.parse('"constructor"'), "orders:read")).toBe(false);
});

/** The roles with each permission. */
const expected: Readonly<Record<Permission, readonly Role[]>> = {
  "orders:pack": ["owner", "staff", "packer"],
  "orders:read": ["owner", "staff"],
  "orders:write": ["owner", "staff"],
  "orders:erase": ["owner", "staff"],
  "order-links:revoke": ["owner"],
  "payments:read": ["owner", "staff"],
  "payments:write": ["owner", "staff"],
  "items:read": ["owner", "staff"],
  "items:write": ["owner", "staff"],
  "reports:read": ["owner", "staff"],
  "deliveries:manage": ["owner", "staff"],
  "emails:test": ["owner"],
  "webhooks:manage": ["owner"],
  "settings:manage": ["owner"],
  "server-settings:read": ["owner"],
  "staff:manage": ["owner"],
  "tokens:manage": ["owner"],
  "sessions:own": ["owner", "staff", "packer"],
  "sessions:all": ["owner"],
};

const permissions = Object.keys(expected).filter(isPermission);

function isPermission(name: string): name is Permission {
  return Object.hasOwn(expected, name);
}

test.each(permissions)("%s belongs to no other role", (permission) => {
  const permitted = roles.filter((role) => hasPermission(role, permission));
  expect(permitted).toEqual(expected[permission]);
});
