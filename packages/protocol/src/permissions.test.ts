import { expect, test } from "vitest";
import { hasPermission } from "./permissions.ts";
import type { TokenRole } from "./tokens.ts";

test("an unknown role has no permission", () => {
  const unknown: TokenRole = JSON.parse('"packer"');
  expect(hasPermission(unknown, "orders:read")).toBe(false);
  expect(hasPermission(JSON.parse('"constructor"'), "orders:read")).toBe(false);
});
