import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { paths, signInEmailSchema, signInOptionsSchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation } from "../../platform/http/operation.ts";
import { sendProblem, sendTooMany } from "../../platform/http/problems.ts";
import { route } from "../../platform/http/route.ts";
import type { RequestRefusal } from "../../platform/observability/refusals.ts";
import { type Limit, networkOf, type Rule } from "../../platform/rate-limit/limit.ts";
import { DAY, MINUTE } from "../../platform/scheduling/clock.ts";
import { sha256Text } from "../../platform/secrets.ts";
import type { ShopIdentity } from "./sign-in-routes.ts";
import type { StaffMembers } from "./staff-members.ts";

const showOptions = {
  operationId: "showSignInOptions",
  summary: "Get the options of the sign-in page",
  takes: noFields,
  answers: { 200: signInOptionsSchema },
} satisfies Operation;

const emailSignInLink = {
  operationId: "emailSignInLink",
  summary: "Email a sign-in link to a member of staff",
  description:
    "Answers 202 for every address, before looking it up. The link works once, within ten minutes. 409 if the shop does not email links.",
  takes: z.object({ body: signInEmailSchema }),
  answers: { 202: z.null() },
} satisfies Operation;

/** The maximum random delay before an address is looked up, in milliseconds. */
const MAX_DELAY = 1_000;

/** Emails a sign-in link to the member of staff with this name. */
export type SendSignInEmail = (
  to: string,
  link: { readonly name: string; readonly link: string },
) => Promise<void>;

interface Options {
  readonly staff: Pick<StaffMembers, "emailedLinks">;
  readonly settings: ShopIdentity;
  /** Whether the shop sends email. */
  readonly sendsEmail: () => boolean;
  readonly sendSignInEmail: SendSignInEmail;
  readonly limit: EmailLimit;
  readonly onError: (error: unknown) => void;
}

export function signInEmailRoutes(app: FastifyInstance, options: Options): void {
  const { staff, settings, sendsEmail, sendSignInEmail, limit, onError } = options;
  const sending = new Set<Promise<void>>();
  app.addHook("onClose", async () => void (await Promise.all(sending)));

  const isOn = () => settings.current().sign_in_emails === "on" && sendsEmail();

  async function email(address: string): Promise<void> {
    // Hides the extra work for a known address, which would delay this server's next response.
    await setTimeout(randomInt(MAX_DELAY));
    for (const { to, ...link } of await staff.emailedLinks(address))
      await sendSignInEmail(to, link);
  }

  route(app, { method: "GET", path: paths.auth.signIn }, showOptions, async () => ({
    shop_name: settings.current().name,
    emails_links: isOn(),
  }));
  route(
    app,
    { method: "POST", path: paths.auth.signInEmails },
    emailSignInLink,
    async ({ body }, reply) => {
      if (!isOn())
        return sendProblem(reply, "mail_off", {
          detail: "This shop does not email sign-in links.",
        });
      const retryAfter = await limit(reply.request.ip, body.email);
      if (retryAfter !== undefined) return sendTooMany(reply, retryAfter);
      const work = email(body.email)
        .catch(onError)
        .finally(() => sending.delete(work));
      sending.add(work);
      return reply.code(202).send();
    },
  );
}

/**
 * Counts a request for an emailed link.
 *
 * @returns `undefined` if it is allowed, otherwise the seconds to wait
 */
type EmailLimit = (client: string, email: string) => Promise<number | undefined>;

const BY_CLIENT = { kind: "sign-in-emails", max: 10, window: 10 * MINUTE } as const;
/**
 * The window is the lifetime of a link, so an address whose limit a stranger used up still has
 * links that work.
 */
const TO_ADDRESS = { kind: "sign-in-email-address", max: 3, window: 10 * MINUTE } as const;
/** Per address and network, so that a stranger's requests do not use up the owner's limit. */
const DAILY = { kind: "sign-in-email-address-daily", max: 30, window: DAY } as const;

/**
 * Creates the rate limit of emailed links. It counts unknown addresses too, so it does not reveal
 * which are known.
 */
export function createEmailLimit(
  createLimit: (...rules: Rule<RequestRefusal>[]) => Limit,
): EmailLimit {
  const [byClient, toAddress, daily] = [
    createLimit(BY_CLIENT),
    createLimit(TO_ADDRESS),
    createLimit(DAILY),
  ];
  return async (client, email) => {
    const address = email.toLowerCase();
    // Checked last, because it must count only requests that send a link.
    return (
      (await byClient(client)) ??
      (await daily(sha256Text(`${address} ${networkOf(client)}`))) ??
      (await toAddress(sha256Text(address)))
    );
  };
}
