import type { FastifyRequest } from "fastify";
import { type Asker, itself, NotLetIn } from "../db/asker.ts";
import type { Queries } from "../db/database.ts";
import { lockOfStaff } from "../staff/staff-repository.ts";
import { merchantOf } from "./actor-of.ts";
import { lockOfToken } from "./token-repository.ts";
import type { Merchant } from "./tokens.ts";

/**
 * Whether somebody who was let in still is: their session has not been ended, their token not
 * withdrawn.
 */
async function isLetIn(db: Queries, { role, session, tokenId }: Merchant): Promise<boolean> {
  if (session !== undefined) {
    const open = db
      .selectFrom("desk_sessions")
      .innerJoin("staff", "staff.id", "desk_sessions.staff_id")
      .select("staff.role")
      .where("desk_sessions.id", "=", session.id);
    return (await open.executeTakeFirst())?.role === role;
  }
  if (tokenId === undefined) return true;
  const known = db.selectFrom("tokens").select("role").where("id", "=", tokenId);
  return (await known.executeTakeFirst())?.role === role;
}

/**
 * Checks again who makes a request, at the database itself: its body or its reader may have taken
 * long.
 *
 * @throws {NotLetIn} if they were withdrawn since the request began
 */
export async function checkAgain(db: Queries, request: FastifyRequest): Promise<void> {
  if (!(await isLetIn(db, merchantOf(request)))) throw new NotLetIn();
}

/**
 * Passes on the parts of a long answer while its reader is let in, and asks for that before each of
 * them. Ends with {@link NotLetIn} otherwise, so that the connection is closed without the last
 * chunk of a whole answer.
 */
export async function* whileLetIn<Part>(
  parts: AsyncIterable<Part>,
  db: Queries,
  request: FastifyRequest,
): AsyncGenerator<Part> {
  for await (const part of parts) {
    await checkAgain(db, request);
    yield part;
  }
}

/** Who makes a request, for changes that let somebody in. */
export function askerOf(request: FastifyRequest): Asker {
  return askerFor(merchantOf(request));
}

/** Who asks for changes that let somebody in. */
export function askerFor(merchant: Merchant): Asker {
  const { name, session, tokenId } = merchant;
  if (session === undefined && tokenId === undefined) return { ...itself, name };
  const own = session === undefined ? lockOfToken(tokenId ?? "") : lockOfStaff(session.staffId);
  return {
    name,
    async hold(unit, ...locks) {
      await unit.lock(...new Set([own, ...locks]));
      if (!(await isLetIn(unit.db, merchant))) throw new NotLetIn();
    },
  };
}
