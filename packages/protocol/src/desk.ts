import { fieldText, isMailAddress, MAX_EMAIL_LENGTH } from "@keepsats/domain";
import * as z from "zod/mini";
import { secondsAsMilliseconds } from "./codecs.ts";
import { printable } from "./texts.ts";
import { tokenRoles } from "./tokens.ts";

/** The most characters of the name of a member of staff or of a passkey. */
const MAX_NAME = 60;
/**
 * The most characters of a part of a passkey's answer: an attestation with certificates has some
 * thousands.
 */
const MAX_PART = 20_000;

const base64url = (limit: number) =>
  z.string().check(z.maxLength(limit), z.regex(/^[\w-]+$/, { error: "must be base64url" }));

/** A passkey of a member of staff. Once decoded, times are in milliseconds. */
export const passkeySchema = z.object({
  id: z.string(),
  name: z.string(),
  created_at: secondsAsMilliseconds,
  /** When somebody last signed in with it; `null` for never. */
  used_at: z.nullable(secondsAsMilliseconds),
});
export type Passkey = z.output<typeof passkeySchema>;

/** Who is signed in at the desk: the answer of `GET /api/desk/session` and of each sign-in. */
export const deskSessionSchema = z.object({
  id: z.string(),
  staff: z.object({
    id: z.string(),
    name: z.string(),
    email: z.nullable(z.string()),
    role: z.enum(tokenRoles),
  }),
  passkeys: z.array(passkeySchema),
  shop_name: z.string(),
  /** The shop's own origin, such as `https://shop.example`. */
  shop_url: z.string(),
  /** How to contact the shop: an e-mail address or the address of a page. */
  shop_contact: z.nullable(z.string()),
  /** The address of the shop's logo, which may be a path. */
  shop_logo: z.nullable(z.string()),
});
export type DeskSession = z.output<typeof deskSessionSchema>;

/**
 * The body of `POST /api/desk/sign-in` and `/api/desk/sign-in-link`: the secret of a sign-in link,
 * which is the part behind its `#`.
 */
export const deskSignInSchema = z.strictObject({ link: z.string().check(z.maxLength(200)) });

/** The answer of `POST /api/desk/sign-in-link`: who signs in with the link, and to which shop. */
export const signInLinkSchema = z.object({ name: z.string(), shop_name: z.string() });
export type SignInLink = z.output<typeof signInLinkSchema>;

/** The answer of `GET /api/desk/sign-in`: the options of the sign-in page. */
export const signInOptionsSchema = z.object({
  shop_name: z.string(),
  /** Whether staff can have a sign-in link emailed. */
  emails_links: z.boolean(),
});

const staffEmail = z
  .string()
  .check(
    z.overwrite(fieldText),
    z.maxLength(MAX_EMAIL_LENGTH),
    z.refine(isMailAddress, { error: "must be an email address" }),
    z.meta({ format: "idn-email" }),
  );

/** The body of `POST /api/desk/sign-in-emails`. */
export const signInEmailSchema = z.strictObject({ email: staffEmail });

const publicKey = z.literal("public-key");

/** The options of `navigator.credentials.get()`, as JSON. */
export const passkeyRequestSchema = z.object({
  /** To be sent back with the answer. It is used once, within five minutes. */
  challenge_id: z.string(),
  options: z.object({
    challenge: z.string(),
    rpId: z.string(),
    /** In milliseconds. */
    timeout: z.int(),
    userVerification: z.literal("required"),
  }),
});
export type PasskeyRequest = z.output<typeof passkeyRequestSchema>;

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
export type PasskeyCreation = z.output<typeof passkeyCreationSchema>;

/**
 * The body of `POST /api/desk/passkey-sign-in`. `response` is `PublicKeyCredential.toJSON()`; other
 * fields of it are ignored.
 */
export const passkeySignInSchema = z.strictObject({
  challenge_id: base64url(200),
  response: z.object({
    id: base64url(2_000),
    rawId: base64url(2_000),
    type: publicKey,
    response: z.object({
      clientDataJSON: base64url(MAX_PART),
      authenticatorData: base64url(MAX_PART),
      signature: base64url(MAX_PART),
    }),
  }),
});
export type PasskeySignIn = z.output<typeof passkeySignInSchema>;

/**
 * The body of `POST /api/desk/passkeys`. `response` is `PublicKeyCredential.toJSON()`; other fields
 * of it are ignored.
 */
export const newPasskeySchema = z.strictObject({
  challenge_id: base64url(200),
  name: printable(MAX_NAME),
  response: z.object({
    id: base64url(2_000),
    rawId: base64url(2_000),
    type: publicKey,
    response: z.object({
      clientDataJSON: base64url(MAX_PART),
      attestationObject: base64url(MAX_PART),
    }),
  }),
});
export type NewPasskey = z.output<typeof newPasskeySchema>;

/** The passkeys of a member of staff: the answer of `GET /api/merchant/staff/:id/passkeys`. */
export const passkeysSchema = z.object({ passkeys: z.array(passkeySchema) });

/** The body of `PATCH /api/desk/passkeys/:id`. */
export const passkeyNameSchema = z.strictObject({ name: printable(MAX_NAME) });

/** A member of staff. Once decoded, times are in milliseconds. */
export const staffMemberSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  role: z.enum(tokenRoles),
  created_by: z.string(),
  created_at: secondsAsMilliseconds,
  /** When they last signed in; `null` for never. */
  signed_in_at: z.nullable(secondsAsMilliseconds),
  /** How many passkeys they have. */
  passkeys: z.int(),
});
export type StaffMember = z.output<typeof staffMemberSchema>;
export const staffSchema = z.object({ staff: z.array(staffMemberSchema) });

/** The body of `POST /api/merchant/staff`. */
export const newStaffMemberSchema = z.strictObject({
  name: printable(MAX_NAME),
  email: z.optional(staffEmail),
  role: z.enum(tokenRoles),
});
export type NewStaffMember = z.output<typeof newStaffMemberSchema>;

/**
 * The body of `POST /api/merchant/desk-links`. Without `staff_id` the link is for the owner that
 * the shop makes itself.
 */
export const newDeskLinkSchema = z.strictObject({
  staff_id: z.optional(
    z
      .string()
      .check(z.regex(/^[\x21-\x7e]{1,200}$/, { error: "must be the id of a member of staff" })),
  ),
});

/** A sign-in link. It works once, until `expires_at` (milliseconds once decoded). */
export const deskLinkSchema = z.object({ link: z.string(), expires_at: secondsAsMilliseconds });
export type DeskLink = z.output<typeof deskLinkSchema>;

/** A new member of staff with their first sign-in link. */
export const invitedStaffMemberSchema = z.extend(staffMemberSchema, {
  link: z.string(),
  expires_at: secondsAsMilliseconds,
  /** Whether the link was mailed to them too. */
  mailed: z.boolean(),
});
export type InvitedStaffMember = z.output<typeof invitedStaffMemberSchema>;

/** A session at the desk. Once decoded, times are in milliseconds. */
export const staffSessionSchema = z.object({
  id: z.string(),
  staff_id: z.string(),
  name: z.string(),
  role: z.enum(tokenRoles),
  /** The browser, from its `User-Agent`; `null` if it sent none. */
  browser: z.nullable(z.string()),
  created_at: secondsAsMilliseconds,
  /** When it was last used, exact to a few minutes. */
  used_at: secondsAsMilliseconds,
  /** When it ends if it is not used until then. */
  expires_at: secondsAsMilliseconds,
  /** Whether it is the session of this request. */
  current: z.boolean(),
});
export type StaffSession = z.output<typeof staffSessionSchema>;
export const staffSessionsSchema = z.object({ sessions: z.array(staffSessionSchema) });

/**
 * What may change while a page of the desk is open. `figures`: the counts and sums of the first
 * page.
 */
export const deskTopics = [
  "orders",
  "items",
  "payment_issues",
  "settings",
  "deliveries",
  "figures",
  "sessions",
] as const;
export type DeskTopic = (typeof deskTopics)[number];

/** The close code of a socket whose session has ended. */
export const SESSION_ENDED = 4001;

/**
 * A message of `/api/desk/live`. After `ready` no change is missed: the page refetches everything
 * once. `changed` names what has changed since the last message.
 */
export const deskMessageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({
    type: z.literal("changed"),
    data: z.object({ topics: z.array(z.enum(deskTopics)) }),
  }),
  z.object({ type: z.literal("heartbeat") }),
]);
export type DeskMessage = z.output<typeof deskMessageSchema>;
