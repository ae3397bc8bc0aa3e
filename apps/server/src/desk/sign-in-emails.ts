import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { paths, signInEmailSchema, signInOptionsSchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation } from "../http/operation.ts";
import { sendProblem, sendTooMany } from "../http/problems.ts";
import { route } from "../http/route.ts";
import type { ShopSettingsReader } from "../shop/shop-settings.ts";
import type { Staff } from "../staff/staff.ts";
import type { EmailLimit } from "./email-limit.ts";

const showOptions = {
  operationId: "showSignInOptions",
  summary: "Get the options of the sign-in page",
  tag: "desk",
  takes: noFields,
  answers: { 200: signInOptionsSchema },
} satisfies Operation;

const askForEmail = {
  operationId: "emailSignInLink",
  summary: "Email a sign-in link to a member of staff",
  description:
    "Answers 202 for every address, before looking it up. The link works once, within ten minutes. 409 if the shop does not email links.",
  tag: "desk",
  takes: z.object({ body: signInEmailSchema }),
  answers: { 202: z.null() },
} satisfies Operation;

/** The maximum random delay before an address is looked up, in milliseconds. */
const MAX_DELAY = 1_000;

interface Options {
  readonly staff: Pick<Staff, "emailedLinks">;
  readonly settings: Pick<ShopSettingsReader, "current">;
  /** `undefined` if no mail is configured. */
  readonly sendSignInEmail:
    | ((to: string, link: { name: string; link: string }) => Promise<void>)
    | undefined;
  readonly limit: EmailLimit;
  readonly onError: (error: unknown) => void;
}

export function signInEmailRoutes(app: FastifyInstance, options: Options): void {
  const { staff, settings, sendSignInEmail, limit, onError } = options;
  const sending = new Set<Promise<void>>();
  app.addHook("onClose", async () => void (await Promise.all(sending)));

  const sender = () => (settings.current().sign_in_emails === "on" ? sendSignInEmail : undefined);

  async function email(
    address: string,
    send: NonNullable<Options["sendSignInEmail"]>,
  ): Promise<void> {
    // Hides the extra work for a known address, which would delay this server's next response.
    await setTimeout(randomInt(MAX_DELAY));
    for (const { to, ...link } of await staff.emailedLinks(address)) await send(to, link);
  }

  route(app, { method: "GET", path: paths.desk.signIn }, showOptions, async () => ({
    shop_name: settings.current().name,
    emails_links: sender() !== undefined,
  }));
  route(
    app,
    { method: "POST", path: paths.desk.signInEmails },
    askForEmail,
    async ({ body }, reply) => {
      const send = sender();
      if (send === undefined)
        return sendProblem(reply, "mail_off", {
          detail: "This shop does not email sign-in links.",
        });
      const retryAfter = await limit(reply.request.ip, body.email);
      if (retryAfter !== undefined) return sendTooMany(reply, retryAfter);
      const work = email(body.email, send)
        .catch(onError)
        .finally(() => sending.delete(work));
      sending.add(work);
      return reply.code(202).send();
    },
  );
}
