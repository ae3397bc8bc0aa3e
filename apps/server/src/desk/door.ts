import type { FastifyReply, FastifyRequest } from "fastify";
import { sendProblem, sendTooMany } from "../http/problems.ts";
import type { OnRefused } from "../http/refusal.ts";
import { network, type OpenLimit } from "../limits/limit.ts";
import type { SessionRow } from "../staff/session-repository.ts";
import type { Sessions } from "../staff/sessions.ts";
import type { SessionCookie } from "./cookie.ts";

/**
 * Rate limits of failed sign-ins, per address and method. A valid secret is accepted even from an
 * address over its limit, which a stranger may share.
 */
export interface SignInLimits {
  readonly cookies: OpenLimit;
  readonly links: OpenLimit;
  readonly passkeys: OpenLimit;
}

/** What decides who gets in. */
export interface Door {
  readonly sessions: Pick<Sessions, "find">;
  readonly cookie: SessionCookie;
  readonly limits: SignInLimits;
  readonly onRefused: OnRefused;
}

/**
 * Finds the session of the first secret that has one; see `find` of {@link Sessions} for `isGuess`.
 */
export async function findSession(
  sessions: Door["sessions"],
  secrets: readonly string[],
  isGuess: boolean,
): Promise<SessionRow | undefined> {
  for (const secret of secrets) {
    const session = await sessions.find(secret, isGuess);
    if (session !== undefined) return session;
  }
  return undefined;
}

/** Counts a wrong sign-in of an address, and answers it: 401, or 429 over the limit. */
export async function refuseSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    limit,
    onRefused,
    code,
  }: Pick<Door, "onRefused"> & { limit: OpenLimit; code: "sign_in_refused" | "unauthorized" },
): Promise<FastifyReply> {
  onRefused("wrong-sign-in", network(request.ip));
  const retryAfter = await limit(request.ip);
  if (retryAfter !== undefined) return sendTooMany(reply, retryAfter);
  return sendProblem(reply, code);
}

/**
 * Finds the session of a request.
 *
 * @returns `undefined` if it has none; the request is answered then
 */
export async function sessionOf(
  request: FastifyRequest,
  reply: FastifyReply,
  door: Door,
): Promise<SessionRow | undefined> {
  const secrets = door.cookie.read(request.headers.cookie);
  const session = await findSession(door.sessions, secrets, door.limits.cookies.isOver(request.ip));
  if (session !== undefined) return session;
  // A page without a cookie is no guess.
  if (secrets.length === 0) sendProblem(reply, "unauthorized");
  else
    await refuseSignIn(request, reply.header("Set-Cookie", door.cookie.clear()), {
      onRefused: door.onRefused,
      limit: door.limits.cookies,
      code: "unauthorized",
    });
  return undefined;
}

/**
 * Handles a route for whoever is signed in. Without a session the request is answered by
 * {@link sessionOf}.
 */
export function withSession<Taken, Answer>(
  door: Door,
  handle: (
    session: SessionRow,
    taken: Taken,
    reply: FastifyReply,
  ) => Promise<Answer | FastifyReply>,
) {
  return async (taken: Taken, reply: FastifyReply): Promise<Answer | FastifyReply> => {
    const session = await sessionOf(reply.request, reply, door);
    return session === undefined ? reply : handle(session, taken, reply);
  };
}
