import * as z from "zod/mini";
import { secondsAsMilliseconds } from "./codecs.ts";
import { passkeySchema } from "./passkeys.ts";
import { roles } from "./permissions.ts";
import { sellerSchema } from "./receipts.ts";
import { emailAddress } from "./texts.ts";

/** The answer of `GET /api/auth/sign-in`: the options of the sign-in page. */
export const signInOptionsSchema = z.object({
  shop_name: z.string(),
  /** Whether staff can have a sign-in link emailed. */
  emails_links: z.boolean(),
});

/** The body of `POST /api/auth/sign-in-emails`. */
export const signInEmailSchema = z.strictObject({ email: emailAddress() });

/**
 * The body of `POST /api/auth/sign-in` and `/api/auth/sign-in-link`: the secret of a sign-in link,
 * which is its fragment.
 */
export const signInSchema = z.strictObject({ link: z.string().check(z.maxLength(200)) });

/** The answer of `POST /api/auth/sign-in-link`: the member of staff and the shop of the link. */
export const signInLinkSchema = z.object({ name: z.string(), shop_name: z.string() });
export type SignInLink = z.output<typeof signInLinkSchema>;

/** The session of the admin: the answer of `GET /api/auth/session` and of each sign-in. */
export const currentSessionSchema = z.object({
  id: z.string(),
  staff: z.object({
    id: z.string(),
    name: z.string(),
    email: z.nullable(z.string()),
    role: z.enum(roles),
  }),
  passkeys: z.array(passkeySchema),
  shop_name: z.string(),
  /** The shop's origin, such as `https://shop.example`. */
  shop_url: z.string(),
  /** An email address or the URL of a page. */
  shop_contact: z.nullable(z.string()),
  /** The URL of the shop's logo; it may be a path. */
  shop_logo: z.nullable(z.string()),
  /** The seller on packing slips. Servers before 1.1.0 do not send it. */
  shop_seller: z.optional(sellerSchema),
  /** The time zone of days. Servers before 1.1.0 do not send it: theirs is UTC. */
  time_zone: z.optional(z.string()),
});
export type CurrentSession = z.output<typeof currentSessionSchema>;

/** A session in the list of sessions. */
export const staffSessionSchema = z.object({
  id: z.string(),
  staff_id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  /** The browser, from its `User-Agent`; `null` if it sent none. */
  browser: z.nullable(z.string()),
  created_at: secondsAsMilliseconds,
  /** The last use, exact to a few minutes. */
  used_at: secondsAsMilliseconds,
  /** The end of the session unless it is used before. */
  expires_at: secondsAsMilliseconds,
  /** Whether it is the session of this request. */
  current: z.boolean(),
});
export type StaffSession = z.output<typeof staffSessionSchema>;
export const staffSessionsSchema = z.object({ sessions: z.array(staffSessionSchema) });
