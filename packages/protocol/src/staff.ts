import * as z from "zod/mini";
import { secondsAsMilliseconds } from "./codecs.ts";
import { roles } from "./permissions.ts";
import { emailAddress, singleLine } from "./texts.ts";

/** A member of staff. */
export const staffMemberSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  role: z.enum(roles),
  created_by: z.string(),
  created_at: secondsAsMilliseconds,
  /** The last sign-in; `null` for never. */
  signed_in_at: z.nullable(secondsAsMilliseconds),
  /** How many they have. */
  passkeys: z.int(),
});
export type StaffMember = z.output<typeof staffMemberSchema>;
export const staffSchema = z.object({ staff: z.array(staffMemberSchema) });

/** The body of `POST /api/admin/staff`. */
export const newStaffMemberSchema = z.strictObject({
  name: singleLine(60),
  email: z.optional(emailAddress()),
  role: z.enum(roles),
});
export type NewStaffMember = z.output<typeof newStaffMemberSchema>;

/**
 * The body of `POST /api/admin/sign-in-links`. Without `staff_id` the link is for the owner that
 * the shop creates.
 */
export const signInLinkRequestSchema = z.strictObject({
  staff_id: z.optional(
    z
      .string()
      .check(z.regex(/^[\x21-\x7e]{1,200}$/, { error: "must be the id of a member of staff" })),
  ),
});

/** A one-time sign-in link. */
export const createdSignInLinkSchema = z.object({
  link: z.string(),
  expires_at: secondsAsMilliseconds,
});
export type CreatedSignInLink = z.output<typeof createdSignInLinkSchema>;

/** A new member of staff with their first sign-in link. */
export const invitedStaffMemberSchema = z.extend(staffMemberSchema, {
  link: z.string(),
  expires_at: secondsAsMilliseconds,
  /** Whether the link was also emailed to them. */
  emailed: z.boolean(),
});

/** The body of `POST /api/admin/tokens`. Changes made with the token are shown under its name. */
export const newTokenSchema = z.strictObject({ name: singleLine(60), role: z.enum(roles) });
export type NewToken = z.output<typeof newTokenSchema>;

/** An API token without its secret. */
export const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  /** The name of the member of staff or the token that created it. */
  created_by: z.string(),
  created_at: secondsAsMilliseconds,
  /** The last use, exact to a few minutes; `null` for never. */
  used_at: z.nullable(secondsAsMilliseconds),
});
export const tokensSchema = z.object({ tokens: z.array(tokenSchema) });
export type Token = z.output<typeof tokenSchema>;

/** A new token. `token` is its secret, which is shown only this once. */
export const createdTokenSchema = z.extend(tokenSchema, { token: z.string() });
