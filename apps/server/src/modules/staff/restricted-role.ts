import type { Role } from "@keepsats/protocol";
import { sql } from "kysely";
import { sha256Text } from "../../platform/secrets.ts";

// Servers of 1.0.0 take a restricted role for `staff`, so they must not find its credentials: see
// migration 002.
const PREFIX = "restricted ";

/** The columns of a role. A restricted one has both, and `restricted_role` has precedence. */
export function roleColumns(role: Role) {
  switch (role) {
    case "owner":
    case "staff":
      return { role, restricted_role: null } as const;
    case "packer":
      return { role: "staff", restricted_role: role } as const;
  }
}

/** Selects the role of {@link roleColumns}. */
export const storedRole = sql<Role>`coalesce(restricted_role, role)`.as("role");

function isRestricted(role: Role): boolean {
  return roleColumns(role).restricted_role !== null;
}

/** The stored form of the secret of a session. */
export function sessionHash(secret: string, role: Role): string {
  return isRestricted(role) ? `${PREFIX}${sha256Text(secret)}` : sha256Text(secret);
}

/** The stored forms that the secret of a session may have. */
export function sessionHashes(secret: string): readonly string[] {
  return [sha256Text(secret), `${PREFIX}${sha256Text(secret)}`];
}

/**
 * The stored form of a token. Servers of 1.0.0 compare digests of 32 bytes only, so a restricted
 * token has a digest of the same length. They hash the whole text after `Bearer `: no header can
 * carry a line break, so no text has the digest of a restricted token there.
 */
export function tokenHash(token: string, role: Role): string {
  return sha256Text(isRestricted(role) ? `restricted\n${token}` : token);
}

/** The stored forms that a token may have. */
export function tokenHashes(token: string): readonly string[] {
  return [sha256Text(token), sha256Text(`restricted\n${token}`)];
}
