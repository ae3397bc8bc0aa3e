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
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Database } from "../../platform/database/database.ts";
import { noFields, type Operation, storedId } from "../../platform/http/operation.ts";
import { cursorText, pageOf } from "../../platform/http/pagination.ts";
import { del, get, patch, post, route } from "../../platform/http/route.ts";
import { WEBHOOK_CHANNEL } from "../../platform/outbox/channel.ts";
import { deliveryAnswer, listDeliveries } from "../../platform/outbox/deliveries.ts";
import type { EmitEvents } from "../../platform/outbox/emit-events.ts";
import { Refusal } from "../../platform/refusal.ts";
import { callerOf } from "../staff/index.ts";
import { type EditWebhooks, sendTestEvent } from "./edit-webhooks.ts";
import { urlFault } from "./ssrf-protection.ts";
import { findWebhook } from "./webhook-repository.ts";

/** Deliveries per page. */
const DELIVERIES_PER_PAGE = 100;
/** The position of the last delivery of a page. */
const positionCursor = z.codec(cursorText(/^\d{1,15}$/), z.int(), {
  decode: Number,
  encode: String,
});

const webhookParams = z.object({ id: storedId });
const ofWebhooks = { permission: "webhooks:manage" } as const;
const ofOneWebhook = { ...ofWebhooks, notFoundDetail: "No webhook has this id." } as const;

const listWebhooks = {
  ...ofWebhooks,
  operationId: "listWebhooks",
  summary: "List the webhooks, without their secrets",
  takes: noFields,
  answers: { 200: webhooksSchema },
} satisfies Operation;

const createWebhook = {
  ...ofWebhooks,
  operationId: "createWebhook",
  summary: "Add a webhook; its secret is returned only this once",
  description:
    "It receives events from now on; see the section `webhooks` of this document. `http:` and private addresses are refused unless WEBHOOKS_PRIVATE allows them. To retry safely after a lost answer, send your own secret: if a webhook with the same `url` and `secret` is on, its events are changed and no second one is added.",
  takes: z.object({ body: newWebhookSchema }),
  answers: { 201: webhookWithSecretSchema },
} satisfies Operation;

const changeWebhook = {
  ...ofOneWebhook,
  operationId: "changeWebhook",
  summary: "Change the URL or the events of a webhook, or switch it off or on",
  description:
    "Events are not sent while it is off, nor later. Switching it off skips its waiting deliveries. `expected` may contain the fields as you have read them. If a changed field has neither the expected nor the new value, nothing is stored: 409 webhook_changed.",
  takes: z.object({ params: webhookParams, body: webhookPatchSchema }),
  answers: { 200: webhookSchema },
} satisfies Operation;

const changeSecret = {
  ...ofOneWebhook,
  operationId: "changeWebhookSecret",
  summary: "Change the secret of a webhook; it is returned only this once",
  description:
    "Deliveries are signed with both the new and the previous secret for 24 hours; another change within that time drops the older one at once. To retry safely after a lost answer, send your own secret: the current secret changes nothing. Without `secret` each request generates another one.",
  takes: z.object({ params: webhookParams, body: newSecretSchema }),
  answers: { 200: webhookWithSecretSchema },
} satisfies Operation;

const removeWebhook = {
  ...ofOneWebhook,
  operationId: "removeWebhook",
  summary: "Remove a webhook; its waiting deliveries are skipped",
  takes: z.object({ params: webhookParams }),
  answers: { 200: webhookSchema },
} satisfies Operation;

const sendTest = {
  ...ofOneWebhook,
  operationId: "testWebhook",
  summary: "Send a test event to a webhook; returns the waiting delivery",
  description:
    "List the deliveries of the webhook to see the result. 409 if the webhook is switched off.",
  takes: z.object({ params: webhookParams }),
  answers: { 200: deliverySchema },
} satisfies Operation;

const listDeliveriesOf = {
  ...ofOneWebhook,
  operationId: "listWebhookDeliveries",
  summary: "List the deliveries of a webhook with its answers, newest first",
  description: "Kept for 30 days, failed ones for 90. Answers are cut after 1,000 characters.",
  takes: z.object({
    params: webhookParams,
    query: z.object({
      state: z.optional(z.enum(deliveryStates)),
      cursor: z.optional(positionCursor),
    }),
  }),
  answers: { 200: deliveriesSchema },
} satisfies Operation;

interface Options {
  readonly database: Database;
  readonly editWebhooks: EditWebhooks;
  readonly emitEvents: EmitEvents;
  /** Whether `http:` URLs and private addresses are allowed. */
  readonly isPrivateAllowed: boolean;
}

export function webhookRoutes(
  app: FastifyInstance,
  { database, editWebhooks, emitEvents, isPrivateAllowed }: Options,
): void {
  const faultOf = (url: string | undefined) =>
    url === undefined || isPrivateAllowed ? undefined : urlFault(new URL(url));

  route(app, get(paths.admin.webhooks), listWebhooks, async () => ({
    webhooks: await editWebhooks.list(),
  }));
  route(app, post(paths.admin.webhooks), createWebhook, async ({ body }, reply) => {
    const fault = faultOf(body.url);
    if (fault !== undefined) return wrongUrl(fault);
    const created = await editWebhooks.create(body, callerOf(reply.request));
    return (
      created ?? new Refusal("invalid", { detail: `There are already ${MAX_WEBHOOKS} webhooks.` })
    );
  });
  route(app, patch(paths.admin.webhook), changeWebhook, async ({ params, body }, reply) => {
    const fault = faultOf(body.url);
    if (fault !== undefined) return wrongUrl(fault);
    return editWebhooks.change(params.id, body, callerOf(reply.request));
  });
  route(app, post(paths.admin.webhookSecret), changeSecret, ({ params, body }, reply) =>
    editWebhooks.changeSecret(params.id, body.secret, callerOf(reply.request)),
  );
  route(app, del(paths.admin.webhook), removeWebhook, ({ params }) =>
    editWebhooks.remove(params.id),
  );
  route(app, get(paths.admin.webhookDeliveries), listDeliveriesOf, async ({ params, query }) => {
    if ((await findWebhook(database.db, params.id)) === undefined) return undefined;
    const { state, cursor: before } = query;
    const partition = { channel: WEBHOOK_CHANNEL, target: params.id };
    const rows = await listDeliveries(database.db, partition, {
      state,
      before,
      limit: DELIVERIES_PER_PAGE + 1,
    });
    const { page, next_cursor } = pageOf(rows, DELIVERIES_PER_PAGE, ({ position }) =>
      z.encode(positionCursor, position),
    );
    return { deliveries: page.map(deliveryAnswer), next_cursor };
  });
  route(app, post(paths.admin.webhookTest), sendTest, async ({ params }) => {
    const tested = await sendTestEvent(database, emitEvents, params.id);
    if (tested === undefined || tested instanceof Refusal) return tested;
    return deliveryAnswer(tested);
  });
}

function wrongUrl(message: string): Refusal {
  return new Refusal("invalid", { errors: [{ path: "url", message }] });
}
