import * as z from "zod/mini";
import { secondsAsMilliseconds } from "./codecs.ts";
import { singleLine } from "./texts.ts";

const MAX_NAME = 60;
/**
 * The longest part of an authenticator's response: an attestation with certificates has some
 * thousands of characters.
 */
const MAX_PART = 20_000;

const base64url = (limit: number) =>
  z.string().check(z.maxLength(limit), z.regex(/^[\w-]+$/, { error: "must be base64url" }));

/** A passkey of a member of staff. */
export const passkeySchema = z.object({
  id: z.string(),
  name: z.string(),
  created_at: secondsAsMilliseconds,
  /** The last sign-in with it; `null` for never. */
  used_at: z.nullable(secondsAsMilliseconds),
});
export type Passkey = z.output<typeof passkeySchema>;

/** The answer of `GET /api/admin/staff/:id/passkeys`. */
export const passkeysSchema = z.object({ passkeys: z.array(passkeySchema) });

/** The body of `PATCH /api/auth/passkeys/:id`. */
export const passkeyNameSchema = z.strictObject({ name: singleLine(MAX_NAME) });

const publicKey = z.literal("public-key");

/** The options of `navigator.credentials.get()`, as JSON. */
export const passkeyRequestSchema = z.object({
  /** Returned with the response. It is valid once, for five minutes. */
  challenge_id: z.string(),
  options: z.object({
    challenge: z.string(),
    rpId: z.string(),
    /** In milliseconds. */
    timeout: z.int(),
    userVerification: z.literal("required"),
  }),
});

/** The options of `navigator.credentials.create()`, as JSON. */
export const passkeyCreationSchema = z.object({
  challenge_id: z.string(),
  options: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.int(), type: publicKey })),
    /** In milliseconds. */
    timeout: z.int(),
    excludeCredentials: z.array(z.object({ id: z.string(), type: publicKey })),
    authenticatorSelection: z.object({
      residentKey: z.literal("required"),
      requireResidentKey: z.literal(true),
      userVerification: z.literal("required"),
    }),
    attestation: z.literal("none"),
  }),
});

/** The fields of `PublicKeyCredential.toJSON()` that are read. */
const credential = { id: base64url(2_000), rawId: base64url(2_000), type: publicKey };

/** The body of `POST /api/auth/passkey-sign-in`. */
export const passkeySignInSchema = z.strictObject({
  challenge_id: base64url(200),
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(MAX_PART),
      authenticatorData: base64url(MAX_PART),
      signature: base64url(MAX_PART),
    }),
  }),
});
export type PasskeySignIn = z.output<typeof passkeySignInSchema>;

/** The body of `POST /api/auth/passkeys`. */
export const newPasskeySchema = z.strictObject({
  challenge_id: base64url(200),
  name: singleLine(MAX_NAME),
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(MAX_PART),
      attestationObject: base64url(MAX_PART),
    }),
  }),
});
export type NewPasskey = z.output<typeof newPasskeySchema>;
