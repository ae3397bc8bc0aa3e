import type { FastifyInstance } from "fastify";
import type { AdminConfig } from "../../config/admin-config.ts";
import type { TokenGuard } from "../../platform/http/bearer.ts";
import type { RequestRefusal } from "../../platform/observability/refusals.ts";
import type { Platform } from "../../platform/platform.ts";
import { MINUTE } from "../../platform/scheduling/clock.ts";
import { bySession, byToken } from "./authenticate.ts";
import { passkeyRoutes, staffPasskeyRoutes } from "./passkey-routes.ts";
import { createPasskeys } from "./passkeys.ts";
import { system } from "./principal.ts";
import { sessionCookie } from "./session-cookie.ts";
import { createSignInCleanup } from "./session-repository.ts";
import { createSessions, sessionRoutes } from "./sessions.ts";
import { signInEmailRoutes } from "./sign-in-emails.ts";
import { type SettingsReader, type SignInOptions, signInRoutes } from "./sign-in-routes.ts";
import {
  createStaffMembers,
  type StaffEmails,
  type StaffMembers,
  staffRoutes,
} from "./staff-members.ts";
import { createApiTokens, tokenRoutes } from "./tokens.ts";

export { adminToken } from "./admin-token.ts";
export { authorize, callerOf, reauthorize } from "./authorize.ts";
export {
  type Actor,
  type Authenticate,
  actorOf,
  type Caller,
  hiddenChannelOf,
  isPermitted,
  limitKeyOf,
  principalOf,
  system,
} from "./principal.ts";
export { sendCsv, sendExport } from "./send-export.ts";
export type { SessionCookie } from "./session-cookie.ts";
export type { Sessions } from "./sessions.ts";
export type { SignInLink } from "./staff-members.ts";

/** Failed sign-ins per minute, for each address and method. */
const FAILED_SIGN_INS = 10;

interface Dependencies {
  /** From the environment or from its file. */
  readonly adminToken: string;
  /** `undefined` if the admin is off. */
  readonly admin: AdminConfig | undefined;
  readonly publicUrl: string;
  readonly settings: SettingsReader;
  /** Limits wrong tokens. */
  readonly tokenGuard: TokenGuard;
}

export type SignIn = ReturnType<typeof createSignIn>;

/** Members of staff, their ways to sign in, and API tokens. */
export function createStaff(
  platform: Platform,
  { adminToken, admin, publicUrl, settings, tokenGuard }: Dependencies,
) {
  const tokens = createApiTokens(platform, adminToken);
  const sessions = createSessions(platform);
  const passkeys = createPasskeys(platform, sessions);
  const members = createStaffMembers(platform, admin?.url ?? "");
  const options = { publicUrl, settings, sessions, passkeys };

  return {
    /** `undefined` if the admin is off. */
    signIn: admin && createSignIn(platform, admin, members, options),
    byToken: byToken(tokens, tokenGuard),
    /** Creates a sign-in link for the first owner, whom it creates if needed. */
    async newOwnerLink(): Promise<string> {
      const created = await members.newLink(undefined, system);
      if (created === undefined) throw new Error("no sign-in link for the first owner");
      return created.link;
    },
    adminRoutes(app: FastifyInstance, { sendInvitation }: StaffEmails) {
      tokenRoutes(app, tokens);
      staffRoutes(app, { staff: members, hasAdmin: admin !== undefined, sendInvitation });
      staffPasskeyRoutes(app, passkeys);
      sessionRoutes(app, sessions);
    },
    workers: admin === undefined ? [] : [createSignInCleanup(platform)],
  };
}

/** Signing in to the admin, and authenticating its requests by sessions. */
function createSignIn(
  platform: Platform,
  admin: AdminConfig,
  members: StaffMembers,
  shared: Pick<SignInOptions, "publicUrl" | "settings" | "sessions" | "passkeys">,
) {
  const failed = (kind: RequestRefusal) =>
    platform.createLimit({ kind, max: FAILED_SIGN_INS, window: MINUTE });
  const options = {
    ...shared,
    adminUrl: admin.url,
    cookie: sessionCookie(admin.url),
    limits: {
      cookies: failed("sign-in-cookies"),
      links: failed("sign-in-links"),
      passkeys: failed("sign-in-passkeys"),
    },
    onRefused: platform.onRefused,
  };
  const { sessions, settings, cookie, limits } = options;

  return {
    admin,
    sessions,
    cookie,
    cookieLimit: limits.cookies,
    bySession: bySession(options),
    routes(app: FastifyInstance, emails: StaffEmails) {
      signInRoutes(app, options);
      passkeyRoutes(app, options);
      signInEmailRoutes(app, platform, { staff: members, settings, emails });
    },
  };
}
