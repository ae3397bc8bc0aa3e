import { hasPermission, type Permission, type Role } from "@keepsats/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { UnitOfWork } from "../../platform/database/database.ts";
import { WEBHOOK_CHANNEL } from "../../platform/outbox/channel.ts";

/**
 * The authenticated identity of a request to the admin API. With `session` it is a member of staff,
 * with `tokenId` an API token of the database; with neither it is `ADMIN_TOKEN`.
 */
export interface Principal {
  readonly name: string;
  readonly role: Role;
  readonly session?: { readonly id: string; readonly staffId: string };
  readonly tokenId?: string;
}

/** Finds the principal of a request. Returns `undefined` if it has refused the request. */
export type Authenticate = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Principal | undefined>;

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the hooks of `authorize`. */
    principal?: Principal;
  }
}

export function principalOf({ principal }: FastifyRequest): Principal {
  if (principal === undefined) throw new Error("the request has not been authenticated");
  return principal;
}

export function actorOf(request: FastifyRequest): Actor {
  return { kind: "staff", name: principalOf(request).name };
}

/** The key of a principal in limits: one for a member of staff, whatever their sessions. */
export function limitKeyOf(request: FastifyRequest): string {
  const { name, session } = principalOf(request);
  return session === undefined ? `token ${name}` : `staff ${session.staffId}`;
}

/** For a permission that the route itself does not require. */
export function isPermitted(request: FastifyRequest, permission: Permission): boolean {
  return hasPermission(principalOf(request).role, permission);
}

/** The channel whose deliveries a request may not see; `undefined` if it may see all. */
export function hiddenChannelOf(request: FastifyRequest): string | undefined {
  return isPermitted(request, "webhooks:manage") ? undefined : WEBHOOK_CHANNEL;
}

/**
 * The author of a change to an order. `shop` is the server itself, for example when an order
 * expires; the `name` of staff is the name of the member or of the API token.
 */
export type Actor =
  | { readonly kind: "customer" | "provider" | "shop" }
  | { readonly kind: "staff"; readonly name: string };

/** The caller of a change that grants access: a new member of staff, API token or webhook. */
export interface Caller {
  readonly name: string;
  /**
   * Re-authorizes the caller inside the transaction of the change. Holds the lock of the caller's
   * access, and the other locks, until the transaction ends: a revocation waits for the change, or
   * the change fails.
   *
   * @throws {UnauthorizedError} if the caller was revoked
   */
  authorize(unit: UnitOfWork, ...locks: string[]): Promise<void>;
}

/** Serializes the revocation of a member of staff with their sign-ins and the changes they make. */
export function lockOfStaff(id: string): string {
  return `staff ${id}`;
}

/** Serializes the revocation of a token with the changes that it makes. */
export function lockOfToken(id: string): string {
  return `token ${id}`;
}

/** The name of `ADMIN_TOKEN`. Neither a member of staff nor another token can have it. */
export const ADMIN_TOKEN_NAME = "admin";

/** The server itself, or the holder of `ADMIN_TOKEN`: neither can be revoked. */
export const system: Caller = {
  name: ADMIN_TOKEN_NAME,
  authorize: (unit, ...locks) => unit.lock(...locks),
};

/** The principal was revoked after the request began. Answered with 401. */
export class UnauthorizedError extends Error {
  override readonly name = "UnauthorizedError";
  readonly statusCode = 401;
}
