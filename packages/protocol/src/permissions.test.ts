import { expect, test } from "vitest";
import { hasPermission, type Role } from "./permissions.ts";

test("an unknown role has no permission", () => {
  const unknown: Role = JSON.parse('"packer"');
  expect(hasPermission(unknown, "orders:read")).toBe(false);
  expect(hasPermission(JSON.parse('"constructor"'), "orders:read")).toBe(false);
});
