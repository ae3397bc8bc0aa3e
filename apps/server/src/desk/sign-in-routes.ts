import {
  type DeskSession,
  deskSessionSchema,
  deskSignInSchema,
  passkeyRequestSchema,
  passkeySignInSchema,
  paths,
  signInLinkSchema,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation } from "../http/operation.ts";
import { rateLimit } from "../http/rate-limit.ts";
import { route } from "../http/route.ts";
import type { Limit } from "../limits/limit.ts";
import type { ShopSettingsReader } from "../shop/shop-settings.ts";
import { CHALLENGE_LIFE, type Passkeys } from "../staff/passkeys.ts";
import type { SessionRow } from "../staff/session-repository.ts";
import type { Opened, Sessions } from "../staff/sessions.ts";
import { type Door, refuseGuessing, refuseSignIn, withSession } from "./door.ts";
import { relyingParty, verifySignIn } from "./webauthn.ts";

const showSignInLink = {
  operationId: "showSignInLink",
  summary: "Who signs in with a link",
  description:
    "The link stays as it is. Mail scanners run the scripts of the pages that they open: only a click signs in.",
  tag: "desk",
  takes: z.object({ body: deskSignInSchema }),
  answers: { 200: signInLinkSchema },
} satisfies Operation;

const signIn = {
  operationId: "signIn",
  summary: "Sign in with the secret of a link, which works once",
  tag: "desk",
  takes: z.object({ body: deskSignInSchema }),
  answers: { 200: deskSessionSchema },
} satisfies Operation;

const askPasskey = {
  operationId: "askPasskey",
  summary: "What a passkey must sign to sign in",
  tag: "desk",
  takes: noFields,
  answers: { 200: passkeyRequestSchema },
} satisfies Operation;

const signInWithPasskey = {
  operationId: "signInWithPasskey",
  summary: "Sign in with a passkey",
  tag: "desk",
  takes: z.object({ body: passkeySignInSchema }),
  answers: { 200: deskSessionSchema },
} satisfies Operation;

const showSession = {
  operationId: "showSession",
  summary: "Who is signed in",
  description: "204 without the cookie of a session; 401 if its session has ended.",
  tag: "desk",
  takes: noFields,
  answers: { 200: deskSessionSchema, 204: z.null() },
} satisfies Operation;

const signOut = {
  operationId: "signOut",
  summary: "Sign out",
  tag: "desk",
  takes: noFields,
  answers: { 204: z.null() },
} satisfies Operation;

/** What the routes of signing in need. */
export interface SignInOptions extends Door {
  readonly deskUrl: string;
  readonly publicUrl: string;
  readonly sessions: Sessions;
  readonly passkeys: Passkeys;
  readonly settings: Pick<ShopSettingsReader, "current">;
  /** The rate limit of challenges, each of which is a row: for sign-ins per address, for new passkeys per session. */
  readonly challengeLimit: Limit;
}

/** The routes of signing in and out. */
export function signInRoutes(app: FastifyInstance, options: SignInOptions): void {
  const { deskUrl, sessions, passkeys, cookie, challengeLimit } = options;

  async function describe({ id, staff_id, name, email, role }: SessionRow): Promise<DeskSession> {
    const { name: shop_name, contact, logo } = options.settings.current();
    return {
      id,
      staff: { id: staff_id, name, email, role },
      passkeys: await passkeys.list(staff_id),
      shop_name,
      shop_url: options.publicUrl,
      shop_contact: contact,
      shop_logo: logo,
    };
  }

  async function answer(
    reply: FastifyReply,
    opened: Opened | undefined,
  ): Promise<DeskSession | FastifyReply> {
    if (opened === undefined)
      return refuseSignIn(reply.request, reply, { ...options, code: "sign_in_refused" });
    for (const before of cookie.read(reply.request.headers.cookie)) await sessions.replace(before);
    reply.header("Set-Cookie", cookie.keep(opened.secret));
    return describe(opened.session);
  }

  const guarded = { onRequest: [refuseGuessing(options.limit)] };
  route(
    app,
    { method: "POST", path: paths.desk.signInLink, ...guarded },
    showSignInLink,
    async ({ body }, reply) => {
      const name = await sessions.nameOfLink(body.link);
      if (name === undefined)
        return refuseSignIn(reply.request, reply, { ...options, code: "sign_in_refused" });
      return { name, shop_name: options.settings.current().name };
    },
  );
  route(app, { method: "POST", path: paths.desk.signIn, ...guarded }, signIn, async ({ body }, reply) =>
    answer(reply, await sessions.openByLink(body.link, reply.request.headers["user-agent"])),
  );
  const limited = { onRequest: [rateLimit(challengeLimit)] };
  route(app, { method: "POST", path: paths.desk.passkeyChallenge, ...limited }, askPasskey, async () => {
    const { id, challenge } = await passkeys.newChallenge(null);
    const rpId = relyingParty(deskUrl);
    const options = { challenge, rpId, timeout: CHALLENGE_LIFE, userVerification: "required" } as const;
    return { challenge_id: id, options };
  });
  route(
    app,
    { method: "POST", path: paths.desk.passkeySignIn, ...guarded },
    signInWithPasskey,
    async ({ body }, reply) => {
      const { challenge_id, response } = body;
      const challenge = await passkeys.takeChallenge(challenge_id, null);
      const passkey = challenge === undefined ? undefined : await passkeys.find(response.id);
      if (challenge === undefined || passkey === undefined) return answer(reply, undefined);
      const counter = await verifySignIn(response, passkey, { challenge, deskUrl });
      if (counter === undefined) return answer(reply, undefined);
      return answer(reply, await passkeys.signIn(passkey, counter, reply.request.headers["user-agent"]));
    },
  );
  const shown = withSession(options, (session) => describe(session));
  // Every page asks this first. Without a cookie the answer is no error, which a browser would print to its console.
  route(app, { method: "GET", path: paths.desk.session }, showSession, async (taken, reply) =>
    cookie.read(reply.request.headers.cookie).length === 0 ? reply.code(204).send() : shown(taken, reply),
  );
  route(
    app,
    { method: "DELETE", path: paths.desk.session },
    signOut,
    withSession(options, async (session, _taken, reply) => {
      await sessions.end(session.id);
      return reply.header("Set-Cookie", cookie.clear()).code(204).send();
    }),
  );
}
