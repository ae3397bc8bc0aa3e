import type { FastifyInstance } from "fastify";
import type { AdminConfig } from "../../config/admin-config.ts";
import type { TokenGuard } from "../../platform/http/bearer.ts";
import type { RequestRefusal } from "../../platform/observability/refusals.ts";
import type { Platform } from "../../platform/platform.ts";
import { MINUTE } from "../../platform/scheduling/clock.ts";
import { bySession, byToken } from "./authenticate.ts";
import { passkeyRoutes, staffPasskeyRoutes } from "./passkey-routes.ts";
import { createPasskeys, type Passkeys } from "./passkeys.ts";
import { system } from "./principal.ts";
import { sessionCookie } from "./session-cookie.ts";
import { createSignInCleanup } from "./session-repository.ts";
import { sessionRoutes } from "./session-routes.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createEmailLimit, type SendSignInEmail, signInEmailRoutes } from "./sign-in-emails.ts";
import { type ShopIdentity, signInRoutes } from "./sign-in-routes.ts";
import { createStaffMembers, type StaffMembers } from "./staff-members.ts";
import { type SendInvitation, staffRoutes } from "./staff-routes.ts";
import { tokenRoutes } from "./token-routes.ts";
import { createApiTokens } from "./tokens.ts";

export { adminToken } from "./admin-token.ts";
export { type Authenticate, findSession } from "./authenticate.ts";
export { authorize, callerOf, reauthorize } from "./authorize.ts";
export {
  type Actor,
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

/** Failed sign-ins per minute, for each address and method. */
const FAILED_SIGN_INS = 10;

interface Dependencies {
  /** From the environment or from its file. */
  readonly adminToken: string;
  /** `undefined` if the admin is off. */
  readonly admin: AdminConfig | undefined;
  readonly publicUrl: string;
  readonly shop: ShopIdentity;
  /** Limits wrong tokens. */
  readonly tokenGuard: TokenGuard;
}

/** The emails that this module sends. */
interface StaffEmails {
  /** Whether the shop sends email. */
  readonly sendsEmail: () => boolean;
  readonly sendInvitation: SendInvitation;
  readonly sendSignInEmail: SendSignInEmail;
}

export type SignIn = ReturnType<typeof createSignIn>;

/** Members of staff, their ways to sign in, and API tokens. */
export function createStaff(platform: Platform, dependencies: Dependencies) {
  const { database, bus, newId, onError } = platform;
  const { admin, tokenGuard, adminToken } = dependencies;
  const tokens = createApiTokens({ database, newId, onError, adminToken });
  const sessions = createSessions({ database, bus, newId, onError });
  const passkeys = createPasskeys({ database, newId, sessions });
  const members = createStaffMembers({ database, bus, newId, adminUrl: admin?.url ?? "" });
  const signIn =
    admin && createSignIn(platform, { ...dependencies, admin, sessions, passkeys, members });

  return {
    tokens,
    /** `undefined` if the admin is off. */
    signIn,
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
    workers: admin === undefined ? [] : [createSignInCleanup(database, onError)],
  };
}

interface SignInDependencies extends Pick<Dependencies, "publicUrl" | "shop"> {
  readonly admin: AdminConfig;
  readonly sessions: Sessions;
  readonly passkeys: Passkeys;
  readonly members: StaffMembers;
}

/** Signing in to the admin, and authenticating its requests by sessions. */
function createSignIn(platform: Platform, dependencies: SignInDependencies) {
  const { admin, publicUrl, shop, sessions, passkeys, members } = dependencies;
  const failed = (kind: RequestRefusal) =>
    platform.createLimit({ kind, max: FAILED_SIGN_INS, window: MINUTE });
  const authentication = {
    sessions,
    cookie: sessionCookie(admin.url),
    limits: {
      cookies: failed("sign-in-cookies"),
      links: failed("sign-in-links"),
      passkeys: failed("sign-in-passkeys"),
    },
    onRefused: platform.onRefused,
  };

  return {
    admin,
    sessions,
    cookie: authentication.cookie,
    cookieLimit: authentication.limits.cookies,
    bySession: bySession(authentication),
    routes(app: FastifyInstance, { sendsEmail, sendSignInEmail }: StaffEmails) {
      const options = {
        ...authentication,
        adminUrl: admin.url,
        publicUrl,
        passkeys,
        settings: shop,
      };
      signInRoutes(app, options);
      passkeyRoutes(app, options);
      signInEmailRoutes(app, {
        staff: members,
        settings: shop,
        sendsEmail,
        sendSignInEmail,
        onError: platform.onError,
        limit: createEmailLimit(platform.createLimit),
      });
    },
  };
}
