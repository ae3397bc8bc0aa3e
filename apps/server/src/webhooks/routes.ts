import {
  deliveriesSchema,
  deliverySchema,
  deliveryStates,
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
import type { Queries } from "../db/database.ts";
import { noFields, type Operation } from "../http/operation.ts";
import { cursorText, pageOf } from "../http/page.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import { storedId } from "../http/stored-id.ts";
import { WEBHOOK_CHANNEL } from "../outbox/channel.ts";
import { deliveryAnswer, listDeliveries } from "../outbox/deliveries.ts";
import type { EditWebhooks } from "./edit-webhooks.ts";
import { addressFault } from "./public-address.ts";
import type { TestWebhook } from "./test-webhook.ts";
import { findWebhook } from "./webhook-repository.ts";

/** The deliveries of one page. */
const PAGE = 100;
/** The end of a page of deliveries: the position of its last one. */
const placeCursor = z.codec(cursorText(/^\d{1,15}$/), z.int(), { decode: Number, encode: String });

const webhookParams = z.object({ id: storedId });
const UNKNOWN_WEBHOOK = "No webhook has this id.";
const ofWebhooks = { tag: "merchant", permission: "webhooks:manage" } as const;
const ofOneWebhook = { ...ofWebhooks, unknown: UNKNOWN_WEBHOOK } as const;

const listWebhooks = {
  ...ofWebhooks,
  operationId: "listWebhooks",
  summary: "All webhooks, without their secrets",
  takes: noFields,
  answers: { 200: webhooksSchema },
} satisfies Operation;

const createWebhook = {
  ...ofWebhooks,
  operationId: "createWebhook",
  summary: "Add a webhook; its secret is shown this once",
  description:
    "It is told of what happens from now on, as the section `webhooks` of this document describes it. `http:` and private addresses are refused unless the server's setting WEBHOOKS_PRIVATE allows them. To be able to repeat a request whose answer was lost, send a secret of your own: a webhook that is on and has the same `url` and `secret` is answered, with the events of this request, and no second one is added.",
  takes: z.object({ body: newWebhookSchema }),
  answers: { 201: webhookWithSecretSchema },
} satisfies Operation;

const changeWebhook = {
  ...ofOneWebhook,
  operationId: "changeWebhook",
  summary: "Change address or events of a webhook, or switch it off or on",
  description:
    "What happens while it is off is not told later. Switching it off skips what waits. `expected` may contain fields as they were last read. If a field to be changed is something else now, nothing is stored and the answer is 409 webhook_changed, unless the field already has its new value.",
  takes: z.object({ params: webhookParams, body: webhookPatchSchema }),
  answers: { 200: webhookSchema },
} satisfies Operation;

const changeSecret = {
  ...ofOneWebhook,
  operationId: "changeWebhookSecret",
  summary: "Give a webhook a new secret, which is shown this once",
  description:
    "For 24 hours deliveries are signed with both the new and the previous secret; a further change within that time ends the earlier of them at once. To be able to repeat a request whose answer was lost, send a secret of your own: the secret that the webhook has already changes nothing. Without `secret` each request makes another one.",
  takes: z.object({ params: webhookParams, body: newSecretSchema }),
  answers: { 200: webhookWithSecretSchema },
} satisfies Operation;

const removeWebhook = {
  ...ofOneWebhook,
  operationId: "removeWebhook",
  summary: "Remove a webhook; what waits for it is skipped",
  takes: z.object({ params: webhookParams }),
  answers: { 200: webhookSchema },
} satisfies Operation;

const sendTest = {
  ...ofOneWebhook,
  operationId: "testWebhook",
  summary: "Send a webhook a test; the answer is the delivery, which waits",
  description:
    "Read the deliveries of the webhook to see what became of it. 409 if the webhook is switched off.",
  takes: z.object({ params: webhookParams }),
  answers: { 200: deliverySchema },
} satisfies Operation;

const listDeliveriesOf = {
  ...ofOneWebhook,
  operationId: "listWebhookDeliveries",
  summary: "A page of the deliveries of a webhook with what it answered, newest first",
  description:
    "They are kept for 30 days, those that were given up for 90. Of an answer the first 1,000 characters are kept.",
  takes: z.object({
    params: webhookParams,
    query: z.object({ state: z.optional(z.enum(deliveryStates)), cursor: z.optional(placeCursor) }),
  }),
  answers: { 200: deliveriesSchema },
} satisfies Operation;

interface Options {
  readonly db: Queries;
  readonly editWebhooks: EditWebhooks;
  readonly testWebhook: TestWebhook;
  /** Whether `http:` and addresses that are not public are allowed. */
  readonly isPrivateAllowed: boolean;
  /** Who makes a request. */
  readonly askerOf: (request: FastifyRequest) => Asker;
}

/** The routes about webhooks and their deliveries, in the scope of the merchant API. */
export function webhookRoutes(
  app: FastifyInstance,
  { db, editWebhooks, testWebhook, isPrivateAllowed, askerOf }: Options,
): void {
  const {
    webhooks: all,
    webhook: one,
    webhookSecret,
    webhookDeliveries,
    webhookTest,
  } = paths.merchant;
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
    const outcome = await editWebhooks.change(params.id, body, askerOf(reply.request));
    switch (outcome.kind) {
      case "stored":
        return outcome.webhook;
      case "changed-meanwhile":
        return sendProblem(reply, "webhook_changed", {
          detail: `Changed since it was read: ${outcome.fields.join(", ")}. Nothing was stored. Read the webhook again.`,
        });
      case "unknown":
        return sendUnknownWebhook(reply);
    }
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
  route(
    app,
    { method: "GET", path: webhookDeliveries },
    listDeliveriesOf,
    async ({ params, query }, reply) => {
      if ((await findWebhook(db, params.id)) === undefined) return sendUnknownWebhook(reply);
      const { state, cursor: before } = query;
      const lane = { channel: WEBHOOK_CHANNEL, target: params.id };
      const rows = await listDeliveries(db, lane, { state, before, limit: PAGE + 1 });
      const { page, next_cursor } = pageOf(rows, PAGE, ({ position }) =>
        z.encode(placeCursor, position),
      );
      return { deliveries: page.map(deliveryAnswer), next_cursor };
    },
  );
  route(app, { method: "POST", path: webhookTest }, sendTest, async ({ params }, reply) => {
    const tested = await testWebhook(params.id);
    switch (tested.kind) {
      case "stored":
        return deliveryAnswer(tested.delivery);
      case "off":
        return sendProblem(reply, "webhook_off");
      case "unknown":
        return sendUnknownWebhook(reply);
    }
  });
}

function sendUnknownWebhook(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, "not_found", { detail: UNKNOWN_WEBHOOK });
}

function refuseUrl(reply: FastifyReply, message: string): FastifyReply {
  return sendProblem(reply, "invalid", { errors: [{ path: "url", message }] });
}
