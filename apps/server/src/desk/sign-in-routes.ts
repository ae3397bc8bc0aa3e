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
import { route } from "../http/route.ts";
import type { Limit, OpenLimit } from "../limits/limit.ts";
import type { ShopSettingsReader } from "../shop/shop-settings.ts";
import type { Passkeys } from "../staff/passkeys.ts";
import type { SessionRow } from "../staff/session-repository.ts";
import type { Opened, Sessions } from "../staff/sessions.ts";
import { CHALLENGE_LIFE } from "../staff/sign-in-challenges.ts";
import { type Door, refuseSignIn, withSession } from "./door.ts";
import { relyingParty, verifySignIn } from "./webauthn.ts";

const showSignInLink = {
  operationId: "showSignInLink",
  summary: "Look up a sign-in link",
  description:
    "Does not use the link. Mail scanners run the scripts of the pages that they open, so only a click signs in.",
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
  /** Limits challenges for new passkeys per session, because each one is a row. */
  readonly challengeLimit: Limit;
}

/** The routes of signing in and out. */
export function signInRoutes(app: FastifyInstance, options: SignInOptions): void {
  const { deskUrl, sessions, passkeys, cookie, limits, onRefused } = options;

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

  const refuse = (reply: FastifyReply, limit: OpenLimit) =>
    refuseSignIn(reply.request, reply, { limit, onRefused, code: "sign_in_refused" });

  async function answer(
    reply: FastifyReply,
    opened: Opened | undefined,
    limit: OpenLimit,
  ): Promise<DeskSession | FastifyReply> {
    if (opened === undefined) return refuse(reply, limit);
    for (const before of cookie.read(reply.request.headers.cookie)) await sessions.replace(before);
    reply.header("Set-Cookie", cookie.keep(opened.secret));
    return describe(opened.session);
  }

  route(
    app,
    { method: "POST", path: paths.desk.signInLink },
    showSignInLink,
    async ({ body }, reply) => {
      const name = await sessions.nameOfLink(body.link, limits.links.isOver(reply.request.ip));
      if (name === undefined) return refuse(reply, limits.links);
      return { name, shop_name: options.settings.current().name };
    },
  );
  route(app, { method: "POST", path: paths.desk.signIn }, signIn, async ({ body }, reply) => {
    const { ip, headers } = reply.request;
    const opened = await sessions.openByLink(
      body.link,
      headers["user-agent"],
      limits.links.isOver(ip),
    );
    return answer(reply, opened, limits.links);
  });
  route(app, { method: "POST", path: paths.desk.passkeyChallenge }, askPasskey, async () => {
    const { id, challenge } = await passkeys.signInChallenges.make();
    const rpId = relyingParty(deskUrl);
    const options = {
      challenge,
      rpId,
      timeout: CHALLENGE_LIFE,
      userVerification: "required",
    } as const;
    return { challenge_id: id, options };
  });
  route(
    app,
    { method: "POST", path: paths.desk.passkeySignIn },
    signInWithPasskey,
    async ({ body }, reply) => {
      const { challenge_id: challengeId, response } = body;
      const { ip, headers } = reply.request;
      const challenge = await passkeys.signInChallenges.find(challengeId);
      if (challenge === undefined) return refuse(reply, limits.passkeys);
      const passkey = await passkeys.find(response.id, limits.passkeys.isOver(ip));
      const counter = passkey && (await verifySignIn(response, passkey, { challenge, deskUrl }));
      if (passkey === undefined || counter === undefined) return refuse(reply, limits.passkeys);
      const opened = await passkeys.signIn(
        passkey,
        { counter, challengeId },
        headers["user-agent"],
      );
      return answer(reply, opened, limits.passkeys);
    },
  );
  const shown = withSession(options, (session) => describe(session));
  // Every page asks this first. Without a cookie the answer is no error, which a browser would
  // print to its console.
  route(app, { method: "GET", path: paths.desk.session }, showSession, async (taken, reply) =>
    cookie.read(reply.request.headers.cookie).length === 0
      ? reply.code(204).send()
      : shown(taken, reply),
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
