import {
  type CurrentSession,
  currentSessionSchema,
  passkeyRequestSchema,
  passkeySignInSchema,
  paths,
  type ShopSettings,
  sellerOf,
  signInLinkSchema,
  signInSchema,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation } from "../../platform/http/operation.ts";
import { del, get, post, route } from "../../platform/http/route.ts";
import {
  refuseSignIn,
  type SessionAuthentication,
  type SignInMethod,
  withSession,
} from "./authenticate.ts";
import { CHALLENGE_LIFETIME, type Passkeys } from "./passkeys.ts";
import type { SessionRow } from "./session-repository.ts";
import type { NewSession, Sessions } from "./sessions.ts";
import { relyingParty, verifySignature } from "./webauthn.ts";

const showSignInLink = {
  operationId: "showSignInLink",
  summary: "Look up a sign-in link",
  description:
    "Does not use the link. Mail scanners run the scripts of the pages that they open, so only a click signs in.",
  takes: z.object({ body: signInSchema }),
  answers: { 200: signInLinkSchema },
} satisfies Operation;

const signIn = {
  operationId: "signIn",
  summary: "Sign in with a one-time link",
  takes: z.object({ body: signInSchema }),
  answers: { 200: currentSessionSchema },
} satisfies Operation;

const newSignInChallenge = {
  operationId: "newSignInChallenge",
  summary: "Get a challenge for signing in with a passkey",
  takes: noFields,
  answers: { 200: passkeyRequestSchema },
} satisfies Operation;

const signInWithPasskey = {
  operationId: "signInWithPasskey",
  summary: "Sign in with a passkey",
  takes: z.object({ body: passkeySignInSchema }),
  answers: { 200: currentSessionSchema },
} satisfies Operation;

const showSession = {
  operationId: "showSession",
  summary: "Get the current session",
  description: "204 without a session cookie; 401 if the session has ended.",
  takes: noFields,
  answers: { 200: currentSessionSchema, 204: z.null() },
} satisfies Operation;

const signOut = {
  operationId: "signOut",
  summary: "Sign out",
  takes: noFields,
  answers: { 204: z.null() },
} satisfies Operation;

export interface SettingsReader {
  current(): ShopSettings;
}

export interface SignInOptions extends SessionAuthentication {
  readonly adminUrl: string;
  readonly publicUrl: string;
  readonly sessions: Sessions;
  readonly passkeys: Passkeys;
  readonly settings: SettingsReader;
}

export function signInRoutes(app: FastifyInstance, options: SignInOptions): void {
  const { adminUrl, sessions, passkeys, cookie } = options;

  async function describe({
    id,
    staff_id,
    name,
    email,
    role,
  }: SessionRow): Promise<CurrentSession> {
    const settings = options.settings.current();
    const { name: shop_name, contact, logo, time_zone } = settings;
    return {
      id,
      staff: { id: staff_id, name, email, role },
      passkeys: await passkeys.list(staff_id),
      shop_name,
      shop_url: options.publicUrl,
      shop_contact: contact,
      shop_logo: logo,
      shop_seller: sellerOf(settings),
      time_zone,
    };
  }

  async function answer(
    reply: FastifyReply,
    opened: NewSession | undefined,
    method: SignInMethod,
  ): Promise<CurrentSession | FastifyReply> {
    if (opened === undefined) return refuseSignIn(reply, options, method);
    for (const previous of cookie.read(reply.request.headers.cookie))
      await sessions.endByCookie(previous);
    reply.header("Set-Cookie", cookie.keep(opened.secret));
    return describe(opened.session);
  }

  route(app, post(paths.auth.signInLink), showSignInLink, async ({ body }, reply) => {
    const name = await sessions.nameOfLink(body.link);
    if (name === undefined) return refuseSignIn(reply, options, "links");
    return { name, shop_name: options.settings.current().name };
  });
  route(app, post(paths.auth.signIn), signIn, async ({ body }, reply) => {
    const opened = await sessions.openByLink(body.link, reply.request.headers["user-agent"]);
    return answer(reply, opened, "links");
  });
  route(app, post(paths.auth.passkeyChallenge), newSignInChallenge, async () => {
    const { id, challenge } = await passkeys.challenges.create();
    const rpId = relyingParty(adminUrl);
    const options = {
      challenge,
      rpId,
      timeout: CHALLENGE_LIFETIME,
      userVerification: "required",
    } as const;
    return { challenge_id: id, options };
  });
  route(app, post(paths.auth.passkeySignIn), signInWithPasskey, async ({ body }, reply) => {
    const { challenge_id: challengeId, response } = body;
    const challenge = await passkeys.challenges.find(challengeId);
    if (challenge === undefined) return refuseSignIn(reply, options, "passkeys");
    const passkey = await passkeys.find(response.id);
    const counter = passkey && (await verifySignature(response, passkey, { challenge, adminUrl }));
    if (passkey === undefined || counter === undefined)
      return refuseSignIn(reply, options, "passkeys");
    const opened = await passkeys.signIn(
      passkey,
      { counter, challengeId },
      reply.request.headers["user-agent"],
    );
    return answer(reply, opened, "passkeys");
  });
  const shown = withSession(options, (session) => describe(session));
  // Every page requests this first. Without a cookie it is not an error, which browsers would print
  // to the console.
  route(app, get(paths.auth.session), showSession, async (input, reply) =>
    cookie.read(reply.request.headers.cookie).length === 0
      ? reply.code(204).send()
      : shown(input, reply),
  );
  route(
    app,
    del(paths.auth.session),
    signOut,
    withSession(options, async (session, _input, reply) => {
      await sessions.end(session.id);
      return reply.header("Set-Cookie", cookie.clear()).code(204).send();
    }),
  );
}
