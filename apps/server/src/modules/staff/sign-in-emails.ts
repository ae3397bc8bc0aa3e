import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { paths, signInEmailSchema, signInOptionsSchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation } from "../../platform/http/operation.ts";
import { sendTooMany } from "../../platform/http/problems.ts";
import { get, post, route } from "../../platform/http/route.ts";
import type { Platform } from "../../platform/platform.ts";
import { networkOf } from "../../platform/rate-limit/limit.ts";
import { Refusal } from "../../platform/refusal.ts";
import { DAY, MINUTE } from "../../platform/scheduling/clock.ts";
import { sha256Text } from "../../platform/secrets.ts";
import type { SettingsReader } from "./sign-in-routes.ts";
import type { StaffEmails, StaffMembers } from "./staff-members.ts";

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

interface Dependencies {
  readonly staff: Pick<StaffMembers, "emailedLinks">;
  readonly settings: SettingsReader;
  readonly emails: StaffEmails;
}

export function signInEmailRoutes(
  app: FastifyInstance,
  { createLimit, onError }: Pick<Platform, "createLimit" | "onError">,
  { staff, settings, emails }: Dependencies,
): void {
  const limit = createEmailLimit(createLimit);
  const sending = new Set<Promise<void>>();
  app.addHook("onClose", async () => void (await Promise.all(sending)));

  const isOn = () => settings.current().sign_in_emails === "on" && emails.sendsEmail();

  async function email(address: string): Promise<void> {
    // Hides the extra work for a known address, which would delay this server's next response.
    await setTimeout(randomInt(MAX_DELAY));
    for (const { to, ...link } of await staff.emailedLinks(address))
      await emails.sendSignInEmail(to, link);
  }

  route(app, get(paths.auth.signIn), showOptions, async () => ({
    shop_name: settings.current().name,
    emails_links: isOn(),
  }));
  route(app, post(paths.auth.signInEmails), emailSignInLink, async ({ body }, reply) => {
    if (!isOn())
      return new Refusal("mail_off", { detail: "This shop does not email sign-in links." });
    const retryAfter = await limit(reply.request.ip, body.email);
    if (retryAfter !== undefined) return sendTooMany(reply, retryAfter);
    const work = email(body.email)
      .catch(onError)
      .finally(() => sending.delete(work));
    sending.add(work);
    return reply.code(202).send();
  });
}

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
 * which are known. Like every limit, it resolves to the seconds to wait, or to `undefined`.
 */
export function createEmailLimit(createLimit: Platform["createLimit"]) {
  const byClient = createLimit(BY_CLIENT);
  const toAddress = createLimit(TO_ADDRESS);
  const daily = createLimit(DAILY);
  return async (client: string, email: string): Promise<number | undefined> => {
    const address = email.toLowerCase();
    // Checked last, because it must count only requests that send a link.
    return (
      (await byClient(client)) ??
      (await daily(sha256Text(`${address} ${networkOf(client)}`))) ??
      (await toAddress(sha256Text(address)))
    );
  };
}
