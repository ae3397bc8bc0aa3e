import { hasPermission } from "@keepsats/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Queries } from "../../platform/database/database.ts";
import { sendProblem } from "../../platform/http/problems.ts";
import {
  type Authenticate,
  type Caller,
  lockOfStaff,
  lockOfToken,
  type Principal,
  principalOf,
  system,
  UnauthorizedError,
} from "./principal.ts";
import { storedRole } from "./restricted-role.ts";

/**
 * Refuses requests that `authenticate` rejects, or whose role lacks the permission of the route's
 * operation. Adding a route without a permission throws. Writes are re-authorized after reading the
 * body.
 */
export function authorize(scope: FastifyInstance, authenticate: Authenticate, db: Queries): void {
  scope.addHook("onRoute", ({ url, config }) => {
    if (config?.operation?.permission === undefined) throw new Error(`${url} names no permission`);
  });
  scope.decorateRequest("principal", undefined);
  scope.addHook("onRequest", async (request, reply) => {
    const principal = await authenticate(request, reply);
    if (principal === undefined) return reply;
    request.principal = principal;
  });
  scope.addHook("onRequest", async (request, reply) => {
    const permission = request.routeOptions.config.operation?.permission;
    const { role } = principalOf(request);
    const isAllowed = permission !== undefined && hasPermission(role, permission);
    if (!isAllowed) return sendProblem(reply, "permission_required");
  });
  // The body may arrive long after the headers that were authorized.
  scope.addHook("preHandler", async (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") await reauthorize(db, request);
  });
}

/** Whether the principal's session or token still exists, with the same role. */
async function isAuthorized(db: Queries, { role, session, tokenId }: Principal): Promise<boolean> {
  if (session !== undefined) {
    const open = db
      .selectFrom("staff_sessions")
      .innerJoin("staff", "staff.id", "staff_sessions.staff_id")
      .select(storedRole)
      .where("staff_sessions.id", "=", session.id);
    return (await open.executeTakeFirst())?.role === role;
  }
  if (tokenId === undefined) return true;
  const known = db.selectFrom("tokens").select(storedRole).where("id", "=", tokenId);
  return (await known.executeTakeFirst())?.role === role;
}

/** @throws {UnauthorizedError} if the principal was revoked since the request began */
export async function reauthorize(db: Queries, request: FastifyRequest): Promise<void> {
  if (!(await isAuthorized(db, principalOf(request)))) throw new UnauthorizedError();
}

export function callerOf(request: FastifyRequest): Caller {
  return callerFor(principalOf(request));
}

export function callerFor(principal: Principal): Caller {
  const { name, session, tokenId } = principal;
  if (session === undefined && tokenId === undefined) return { ...system, name };
  const own = session === undefined ? lockOfToken(tokenId ?? "") : lockOfStaff(session.staffId);
  return {
    name,
    async authorize(unit, ...locks) {
      await unit.lock(...new Set([own, ...locks]));
      if (!(await isAuthorized(unit.db, principal))) throw new UnauthorizedError();
    },
  };
}
