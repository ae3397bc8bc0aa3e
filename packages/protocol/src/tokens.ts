import * as z from "zod/mini";
import { secondsAsMilliseconds } from "./codecs.ts";
import { printable } from "./texts.ts";

/** The roles of staff and API tokens; `permissions.ts` has their permissions. */
export const tokenRoles = ["owner", "staff"] as const;
export type TokenRole = (typeof tokenRoles)[number];

/**
 * The body of `POST /api/merchant/tokens`. The name is shown wherever it is shown who made a
 * change.
 */
export const newTokenSchema = z.strictObject({ name: printable(60), role: z.enum(tokenRoles) });
export type NewToken = z.output<typeof newTokenSchema>;

/** A token of the merchant API, without its secret. Once decoded, times are in milliseconds. */
export const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(tokenRoles),
  /** The name of the token, or of the member of staff, that made it. */
  created_by: z.string(),
  created_at: secondsAsMilliseconds,
  /** When it was last used, exact to a few minutes; `null` if it was never used. */
  used_at: z.nullable(secondsAsMilliseconds),
});
export const tokensSchema = z.object({ tokens: z.array(tokenSchema) });
export type Token = z.output<typeof tokenSchema>;

/** A new token. `token` is its secret, which is shown this once. */
export const createdTokenSchema = z.extend(tokenSchema, { token: z.string() });
