import {
  MAX_WEBHOOKS,
  newSecretSchema,
  newWebhookSchema,
  paths,
  webhookPatchSchema,
  webhookSchema,
  webhooksSchema,
  webhookWithSecretSchema,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { Asker } from "../db/asker.ts";
import { noFields, type Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import type { EditWebhooks } from "./edit-webhooks.ts";
import { addressFault } from "./public-address.ts";
import { sendUnknownWebhook, UNKNOWN_WEBHOOK, webhookParams } from "./webhook-reference.ts";

const listWebhooks = {
  operationId: "listWebhooks",
  summary: "All webhooks, without their secrets",
  tag: "merchant",
  permission: "webhooks:manage",
  takes: noFields,
  answers: { 200: webhooksSchema },
} satisfies Operation;

const createWebhook = {
  operationId: "createWebhook",
  summary: "Add a webhook; its secret is shown this once",
  description:
    "It is told of what happens from now on, as the section `webhooks` of this document describes it. `http:` and private addresses are refused unless the server's setting WEBHOOKS_PRIVATE allows them. To be able to repeat a request whose answer was lost, send a secret of your own: a webhook that is on and has the same `url` and `secret` is answered, with the events of this request, and no second one is added.",
  tag: "merchant",
  permission: "webhooks:manage",
  takes: z.object({ body: newWebhookSchema }),
  answers: { 201: webhookWithSecretSchema },
} satisfies Operation;

const changeWebhook = {
  operationId: "changeWebhook",
  summary: "Change address or events of a webhook, or switch it off or on",
  description: "What happens while it is off is not told later. Switching it off skips what waits.",
  tag: "merchant",
  permission: "webhooks:manage",
  takes: z.object({ params: webhookParams, body: webhookPatchSchema }),
  unknown: UNKNOWN_WEBHOOK,
  answers: { 200: webhookSchema },
} satisfies Operation;

const changeSecret = {
  operationId: "changeWebhookSecret",
  summary: "Give a webhook a new secret, which is shown this once",
  description:
    "For 24 hours deliveries are signed with both the new and the previous secret; a further change within that time ends the earlier of them at once. To be able to repeat a request whose answer was lost, send a secret of your own: the secret that the webhook has already changes nothing. Without `secret` each request makes another one.",
  tag: "merchant",
  permission: "webhooks:manage",
  takes: z.object({ params: webhookParams, body: newSecretSchema }),
  unknown: UNKNOWN_WEBHOOK,
  answers: { 200: webhookWithSecretSchema },
} satisfies Operation;

const removeWebhook = {
  operationId: "removeWebhook",
  summary: "Remove a webhook; what waits for it is skipped",
  tag: "merchant",
  permission: "webhooks:manage",
  takes: z.object({ params: webhookParams }),
  unknown: UNKNOWN_WEBHOOK,
  answers: { 200: webhookSchema },
} satisfies Operation;

interface Options {
  readonly editWebhooks: EditWebhooks;
  /** Whether `http:` and addresses that are not public are allowed. */
  readonly isPrivateAllowed: boolean;
  /** Who makes a request. */
  readonly askerOf: (request: FastifyRequest) => Asker;
}

/** The routes that list and change webhooks, in the scope of the merchant API. */
export function editRoutes(
  app: FastifyInstance,
  { editWebhooks, isPrivateAllowed, askerOf }: Options,
): void {
  const { webhooks: all, webhook: one, webhookSecret } = paths.merchant;
  const faultOf = (url: string | undefined) =>
    url === undefined || isPrivateAllowed ? undefined : addressFault(new URL(url));

  route(app, { method: "GET", path: all }, listWebhooks, async () => ({
    webhooks: await editWebhooks.list(),
  }));
  route(app, { method: "POST", path: all }, createWebhook, async ({ body }, reply) => {
    const fault = faultOf(body.url);
    if (fault !== undefined) return refuseUrl(reply, fault);
    const created = await editWebhooks.create(body, askerOf(reply.request));
    return (
      created ??
      sendProblem(reply, "invalid", { detail: `There are ${MAX_WEBHOOKS} webhooks already.` })
    );
  });
  route(app, { method: "PATCH", path: one }, changeWebhook, async ({ params, body }, reply) => {
    const fault = faultOf(body.url);
    if (fault !== undefined) return refuseUrl(reply, fault);
    return (
      (await editWebhooks.change(params.id, body, askerOf(reply.request))) ??
      sendUnknownWebhook(reply)
    );
  });
  route(
    app,
    { method: "POST", path: webhookSecret },
    changeSecret,
    async ({ params, body }, reply) => {
      return (
        (await editWebhooks.changeSecret(params.id, body.secret, askerOf(reply.request))) ??
        sendUnknownWebhook(reply)
      );
    },
  );
  route(app, { method: "DELETE", path: one }, removeWebhook, async ({ params }, reply) => {
    return (await editWebhooks.remove(params.id)) ?? sendUnknownWebhook(reply);
  });
}

function refuseUrl(reply: FastifyReply, message: string): FastifyReply {
  return sendProblem(reply, "invalid", { errors: [{ path: "url", message }] });
}
