import {
  newPasskeySchema,
  passkeyCreationSchema,
  passkeyNameSchema,
  passkeySchema,
  passkeysSchema,
  paths,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation, storedId } from "../../platform/http/operation.ts";
import { del, get, patch, post, route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import { withSession } from "./authenticate.ts";
import { CHALLENGE_LIFETIME, type Passkeys } from "./passkeys.ts";
import type { SignInOptions } from "./sign-in-routes.ts";
import { ALGORITHMS, relyingParty, verifyRegistration } from "./webauthn.ts";

const UNKNOWN_OWN = "You have no passkey with this id.";
const withId = z.object({ params: z.object({ id: storedId }) });

const preparePasskey = {
  operationId: "preparePasskey",
  summary: "Get the options for creating a passkey",
  takes: noFields,
  answers: { 200: passkeyCreationSchema },
} satisfies Operation;

const addPasskey = {
  operationId: "addPasskey",
  summary: "Add a passkey",
  takes: z.object({ body: newPasskeySchema }),
  answers: { 201: passkeySchema },
} satisfies Operation;

const renamePasskey = {
  operationId: "renamePasskey",
  summary: "Rename one of your own passkeys",
  takes: z.object({ params: z.object({ id: storedId }), body: passkeyNameSchema }),
  notFoundDetail: UNKNOWN_OWN,
  answers: { 200: passkeySchema },
} satisfies Operation;

const removePasskey = {
  operationId: "removePasskey",
  summary: "Remove one of your own passkeys",
  takes: withId,
  notFoundDetail: UNKNOWN_OWN,
  answers: { 204: z.null() },
} satisfies Operation;

const listStaffPasskeys = {
  operationId: "listStaffPasskeys",
  summary: "List the passkeys of a member of staff; none for an unknown member",
  permission: "staff:manage",
  takes: withId,
  notFoundDetail: "No member of staff has this id.",
  answers: { 200: passkeysSchema },
} satisfies Operation;

const removeStaffPasskey = {
  operationId: "removeStaffPasskey",
  summary: "Remove a passkey of any member of staff, for example of a lost laptop",
  description: "It no longer signs in. Sessions that were opened with it continue until they end.",
  permission: "staff:manage",
  takes: withId,
  notFoundDetail: "No passkey has this id.",
  answers: { 200: passkeySchema },
} satisfies Operation;

/** Discoverable and user-verifying: it signs in without a typed name, by finger, face or PIN. */
const passkeyOptions = {
  authenticatorSelection: {
    residentKey: "required",
    requireResidentKey: true,
    userVerification: "required",
  },
  attestation: "none",
} as const;

/** The routes for one's own passkeys. */
export function passkeyRoutes(app: FastifyInstance, options: SignInOptions): void {
  const { adminUrl, passkeys, settings } = options;
  const rp = () => ({ id: relyingParty(adminUrl), name: `${settings.current().name}: admin` });

  route(
    app,
    post(paths.auth.newPasskeyChallenge),
    preparePasskey,
    withSession(options, async ({ staff_id, name }) => {
      const known = await passkeys.credentialsOf(staff_id);
      const { id, challenge } = await passkeys.challenges.create(staff_id);
      return {
        challenge_id: id,
        options: {
          challenge,
          rp: rp(),
          user: { id: Buffer.from(staff_id).toString("base64url"), name, displayName: name },
          pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: "public-key" as const })),
          timeout: CHALLENGE_LIFETIME,
          excludeCredentials: known.map((credential) => ({
            id: credential,
            type: "public-key" as const,
          })),
          ...passkeyOptions,
        },
      };
    }),
  );
  route(
    app,
    post(paths.auth.passkeys),
    addPasskey,
    withSession(options, async (session, { body }) => {
      const { name, challenge_id: challengeId, response } = body;
      const challenge = await passkeys.challenges.find(challengeId, session.staff_id);
      const credential = challenge && (await verifyRegistration(response, { challenge, adminUrl }));
      const added = credential
        ? await passkeys.add(session, { name, credential, challengeId })
        : undefined;
      const errors = [
        { path: "response", message: "is not the answer of a new passkey to this challenge" },
      ];
      return added ?? new Refusal("invalid", { errors });
    }),
  );
  route(
    app,
    patch(paths.auth.passkey),
    renamePasskey,
    withSession(options, ({ staff_id }, { params, body }) =>
      passkeys.rename(staff_id, params.id, body.name),
    ),
  );
  route(
    app,
    del(paths.auth.passkey),
    removePasskey,
    withSession(options, async (session, { params }, reply) => {
      const removed = await passkeys.remove(params.id, session.staff_id);
      return removed && reply.code(204).send();
    }),
  );
}

/** The routes for the passkeys of all staff. */
export function staffPasskeyRoutes(
  app: FastifyInstance,
  passkeys: Pick<Passkeys, "list" | "remove">,
): void {
  route(app, get(paths.admin.staffPasskeys), listStaffPasskeys, async ({ params }) => ({
    passkeys: await passkeys.list(params.id),
  }));
  route(app, del(paths.admin.passkey), removeStaffPasskey, ({ params }) =>
    passkeys.remove(params.id),
  );
}
