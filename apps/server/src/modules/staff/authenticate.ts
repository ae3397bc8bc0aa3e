import type { FastifyReply, FastifyRequest } from "fastify";
import { bearerOf, bearerOnly, type TokenGuard } from "../../platform/http/bearer.ts";
import { sendProblem, sendTooMany } from "../../platform/http/problems.ts";
import type { OnRefused } from "../../platform/observability/refusals.ts";
import { type Limit, networkOf } from "../../platform/rate-limit/limit.ts";
import type { Authenticate, Principal } from "./principal.ts";
import type { SessionCookie } from "./session-cookie.ts";
import type { SessionRow } from "./session-repository.ts";
import type { Sessions } from "./sessions.ts";
import type { ApiTokens } from "./tokens.ts";

/** Authenticates programs and the command line by their API token. */
export function byToken(tokens: Pick<ApiTokens, "authenticate">, guard: TokenGuard): Authenticate {
  return async (request, reply) => {
    let principal: Principal | undefined;
    const hook = bearerOnly(async ({ headers }) => {
      const token = bearerOf(headers.authorization);
      principal = token === "" ? undefined : await tokens.authenticate(token);
      return principal !== undefined;
    }, guard);
    await hook(request, reply);
    return principal;
  };
}

export type SignInMethod = "cookies" | "links" | "passkeys";

export interface SessionAuthentication {
  readonly sessions: Pick<Sessions, "find">;
  readonly cookie: SessionCookie;
  /**
   * Rate limits of failed sign-ins, per address and method. A valid secret is accepted even from an
   * address over its limit, which a stranger may share.
   */
  readonly limits: Readonly<Record<SignInMethod, Limit>>;
  readonly onRefused: OnRefused;
}

/** Authenticates members of staff in the admin by their session cookie. */
export function bySession(authentication: SessionAuthentication): Authenticate {
  return async (request, reply) => {
    const session = await requireSession(request, reply, authentication);
    if (session === undefined) return undefined;
    const { id, name, role, staff_id: staffId } = session;
    return { name, role, session: { id, staffId } };
  };
}

/** @returns `undefined` if the request has no session; it has been refused then */
async function requireSession(
  request: FastifyRequest,
  reply: FastifyReply,
  authentication: SessionAuthentication,
): Promise<SessionRow | undefined> {
  const { sessions, cookie } = authentication;
  const secrets = cookie.read(request.headers.cookie);
  const session = await sessions.find(...secrets);
  if (session !== undefined) return session;
  // A page without a cookie is not a guess.
  if (secrets.length === 0) sendProblem(reply, "unauthorized");
  else await refuseSignIn(reply.header("Set-Cookie", cookie.clear()), authentication, "cookies");
  return undefined;
}

/** Counts a failed sign-in of an address, and answers it: 401, or 429 over the limit. */
export async function refuseSignIn(
  reply: FastifyReply,
  { limits, onRefused }: SessionAuthentication,
  method: SignInMethod,
): Promise<FastifyReply> {
  const { ip } = reply.request;
  onRefused("wrong-sign-in", networkOf(ip));
  const retryAfter = await limits[method](ip);
  if (retryAfter !== undefined) return sendTooMany(reply, retryAfter);
  return sendProblem(reply, method === "cookies" ? "unauthorized" : "sign_in_refused");
}

/** Wraps the handler of a route that needs a session; requests without one are refused. */
export function withSession<Input, Answer>(
  authentication: SessionAuthentication,
  handle: (
    session: SessionRow,
    input: Input,
    reply: FastifyReply,
  ) => Promise<Answer | FastifyReply>,
) {
  return async (input: Input, reply: FastifyReply): Promise<Answer | FastifyReply> => {
    const session = await requireSession(reply.request, reply, authentication);
    return session === undefined ? reply : handle(session, input, reply);
  };
}
