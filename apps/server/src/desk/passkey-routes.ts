import {
  newPasskeySchema,
  passkeyCreationSchema,
  passkeyNameSchema,
  passkeySchema,
  paths,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation } from "../http/operation.ts";
import { sendProblem, sendTooMany } from "../http/problems.ts";
import { route } from "../http/route.ts";
import { storedId } from "../http/stored-id.ts";
import { MAX_PASSKEYS } from "../staff/passkeys.ts";
import { CHALLENGE_LIFE } from "../staff/sign-in-challenges.ts";
import { withSession } from "./door.ts";
import type { SignInOptions } from "./sign-in-routes.ts";
import { ALGORITHMS, relyingParty, verifyNew } from "./webauthn.ts";

const UNKNOWN = "You have no passkey with this id.";
const TOO_MANY = `You have ${MAX_PASSKEYS} passkeys already. Remove one that you do not use any more.`;

const prepare = {
  operationId: "preparePasskey",
  summary: "What a new passkey is made of",
  tag: "desk",
  takes: noFields,
  answers: { 200: passkeyCreationSchema },
} satisfies Operation;

const addPasskey = {
  operationId: "addPasskey",
  summary: "Add a passkey to your own",
  tag: "desk",
  takes: z.object({ body: newPasskeySchema }),
  answers: { 201: passkeySchema },
} satisfies Operation;

const renamePasskey = {
  operationId: "renamePasskey",
  summary: "Give one of your own passkeys another name",
  tag: "desk",
  takes: z.object({ params: z.object({ id: storedId }), body: passkeyNameSchema }),
  unknown: UNKNOWN,
  answers: { 200: passkeySchema },
} satisfies Operation;

const removePasskey = {
  operationId: "removePasskey",
  summary: "Remove one of your own passkeys",
  tag: "desk",
  takes: z.object({ params: z.object({ id: storedId }) }),
  unknown: UNKNOWN,
  answers: { 204: z.null() },
} satisfies Operation;

/**
 * A passkey that signs in without a name being typed, and that asks for a finger, a face or a PIN.
 */
const wanted = {
  authenticatorSelection: {
    residentKey: "required",
    requireResidentKey: true,
    userVerification: "required",
  },
  attestation: "none",
} as const;

/** The passkeys of whoever is signed in. */
export function passkeyRoutes(app: FastifyInstance, options: SignInOptions): void {
  const { deskUrl, passkeys, settings, challengeLimit } = options;
  const rp = () => ({ id: relyingParty(deskUrl), name: `${settings.current().name}: desk` });

  route(
    app,
    { method: "POST", path: paths.desk.newPasskeyChallenge },
    prepare,
    withSession(options, async (session, _taken, reply) => {
      const retryAfter = await challengeLimit(session.id);
      if (retryAfter !== undefined) return sendTooMany(reply, retryAfter);
      const { staff_id, name } = session;
      const known = await passkeys.credentialsOf(staff_id);
      // Told before the browser makes a passkey that could not be kept.
      if (known.length >= MAX_PASSKEYS) return sendProblem(reply, "invalid", { detail: TOO_MANY });
      const { id, challenge } = await passkeys.newChallenge(staff_id);
      return {
        challenge_id: id,
        options: {
          challenge,
          rp: rp(),
          user: { id: Buffer.from(staff_id).toString("base64url"), name, displayName: name },
          pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: "public-key" as const })),
          timeout: CHALLENGE_LIFE,
          excludeCredentials: known.map((credential) => ({
            id: credential,
            type: "public-key" as const,
          })),
          ...wanted,
        },
      };
    }),
  );
  route(
    app,
    { method: "POST", path: paths.desk.passkeys },
    addPasskey,
    withSession(options, async (session, { body }, reply) => {
      const challenge = await passkeys.takeChallenge(body.challenge_id, session.staff_id);
      const found = challenge && (await verifyNew(body.response, { challenge, deskUrl }));
      const added = found ? await passkeys.add(session, body.name, found) : undefined;
      const errors = [
        { path: "response", message: "is not the answer of a new passkey to this challenge" },
      ];
      return added ?? sendProblem(reply, "invalid", { errors });
    }),
  );
  route(
    app,
    { method: "PATCH", path: paths.desk.passkey },
    renamePasskey,
    withSession(options, async ({ staff_id }, { params, body }, reply) => {
      const renamed = await passkeys.rename(staff_id, params.id, body.name);
      return renamed ?? sendProblem(reply, "not_found", { detail: UNKNOWN });
    }),
  );
  route(
    app,
    { method: "DELETE", path: paths.desk.passkey },
    removePasskey,
    withSession(options, async (session, { params }, reply) => {
      const removed = await passkeys.remove(params.id, session.staff_id);
      if (removed === undefined) return sendProblem(reply, "not_found", { detail: UNKNOWN });
      return reply.code(204).send();
    }),
  );
}
