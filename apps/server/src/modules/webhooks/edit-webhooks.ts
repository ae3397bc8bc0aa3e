import { randomBytes } from "node:crypto";
import { MAX_WEBHOOKS, type NewWebhook, type Webhook, type WebhookPatch } from "@keepsats/protocol";
import type { Database, UnitOfWork } from "../../platform/database/database.ts";
import { endDeliveries } from "../../platform/outbox/change-deliveries.ts";
import { WEBHOOK_CHANNEL } from "../../platform/outbox/channel.ts";
import { listDeliveries } from "../../platform/outbox/deliveries.ts";
import type { EmitEvents } from "../../platform/outbox/emit-events.ts";
import type { DeliveryRow } from "../../platform/outbox/queue.ts";
import type { Platform } from "../../platform/platform.ts";
import { changedSinceRead, Refusal } from "../../platform/refusal.ts";
import { HOUR } from "../../platform/scheduling/clock.ts";
import { type Caller, system } from "../staff/index.ts";
import {
  findWebhook,
  listWebhooks,
  updateWebhook,
  type WebhookRow,
  webhookAnswer,
} from "./webhook-repository.ts";

export type EditWebhooks = ReturnType<typeof createEditWebhooks>;

interface Dependencies {
  /** Resolves when this process has read every published change. */
  readonly caughtUp: () => Promise<void>;
  readonly onSwitchedOff: (webhook: WebhookRow) => void;
}

/** How long the previous secret keeps signing, in milliseconds. */
const OLD_SECRET_LIFETIME = 24 * HOUR;
const SECRET_BYTES = 32;
const noFailures = { failing_since: null, off_reason: null };

/** Results are `undefined` if the id is unknown. */
export function createEditWebhooks(
  { database, bus, newId }: Pick<Platform, "database" | "bus" | "newId">,
  { caughtUp, onSwitchedOff }: Dependencies,
) {
  const { now } = database;

  /** Resolves when the change is committed and in the cache of this process. */
  async function change<T>(work: (unit: UnitOfWork) => Promise<T>, by = system): Promise<T> {
    const result = await database.inTransaction(async (unit) => {
      await by.authorize(unit, "webhooks");
      unit.afterCommit(() => bus.publish({ topic: "webhooks" }));
      return work(unit);
    });
    await caughtUp();
    return result;
  }

  const answer = (row: WebhookRow | undefined) => row && webhookAnswer(row, now());
  const withSecret = (row: WebhookRow) => ({ ...webhookAnswer(row, now()), secret: row.secret });
  const end = (unit: UnitOfWork, target: string, state: "skipped" | "failed", answer: string) =>
    endDeliveries(unit, { channel: WEBHOOK_CHANNEL, target }, { state, answer, now: now() });

  return {
    list: async () => (await listWebhooks(database.db)).map((row) => webhookAnswer(row, now())),

    /**
     * Adds a webhook. A retried request with the same URL and secret, for example because its answer
     * was lost, adds none: it changes the events of the existing webhook and returns that. Returns
     * `undefined` if the shop has {@link MAX_WEBHOOKS}.
     */
    create: (webhook: NewWebhook, by: Caller) =>
      change(async (unit) => {
        const all = await listWebhooks(unit.db);
        const same = all.find((row) => isSame(row, webhook));
        if (same !== undefined) {
          const events = storedEvents(webhook.events ?? null);
          const changed = await updateWebhook(unit.db, same.id, { events });
          return changed && withSecret(changed);
        }
        if (all.length >= MAX_WEBHOOKS) return undefined;
        const row = newRow(webhook, { id: newId(), created_by: by.name, created_at: now() });
        await unit.db.insertInto("webhooks").values(row).execute();
        return withSecret(row);
      }, by),

    /**
     * Changes a webhook if its fields are as the patch expects. Switching it on, or another URL,
     * clears its failures. Missed events are not sent.
     */
    change: (id: string, patch: WebhookPatch, by: Caller) =>
      change(async (unit): Promise<Webhook | Refusal | undefined> => {
        const row = await findWebhook(unit.db, id);
        const fields = row === undefined ? [] : conflictingFields(row, patch);
        if (fields.length > 0) return changedSinceRead("webhook", fields);
        if (patch.enabled === false)
          await end(unit, id, "skipped", "The webhook was switched off.");
        return answer(await updateWebhook(unit.db, id, columnsOf(patch)));
      }, by),

    /**
     * Changes the secret; the previous one keeps signing for {@link OLD_SECRET_LIFETIME}. Sending
     * the current secret changes nothing.
     */
    changeSecret: (id: string, given: string | undefined, by: Caller) =>
      change(async (unit) => {
        const secret = given ?? newWebhookSecret();
        const row = await findWebhook(unit.db, id);
        if (row === undefined) return undefined;
        // A retry after a lost answer: the previous secret keeps signing.
        if (secret === row.secret) return withSecret(row);
        const old = { old_secret: row.secret, old_secret_until: now() + OLD_SECRET_LIFETIME };
        const changed = await updateWebhook(unit.db, id, { secret, ...old });
        return changed && withSecret(changed);
      }, by),

    /** Skips its waiting deliveries. */
    remove: (id: string) =>
      change(async (unit) => {
        await end(unit, id, "skipped", "The webhook was removed.");
        const removed = unit.db.deleteFrom("webhooks").where("id", "=", id).returningAll();
        return answer(await removed.executeTakeFirst());
      }),

    /**
     * Switches a failing webhook off, and ends its waiting deliveries as failed. Returns `false` if
     * its URL was changed in the meantime; it stays on then.
     */
    switchOff: ({ id, url }: Pick<WebhookRow, "id" | "url">, reason: string) =>
      change(async (unit) => {
        const row = await findWebhook(unit.db, id);
        if (row === undefined || row.is_on === 0) return true;
        if (row.url !== url) return false;
        await end(unit, id, "failed", `The webhook was switched off. ${reason}`);
        const changed = await updateWebhook(unit.db, id, { is_on: 0, off_reason: reason });
        if (changed !== undefined) unit.afterCommit(() => onSwitchedOff(changed));
        return true;
      }),
  };
}

function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** Whether a new webhook already exists and is on. */
function isSame(row: WebhookRow, { url, secret }: NewWebhook): boolean {
  return row.is_on === 1 && row.secret === secret && row.url === new URL(url).href;
}

function newRow(
  { url, events = null, secret = newWebhookSecret() }: NewWebhook,
  created: Pick<WebhookRow, "id" | "created_by" | "created_at">,
): WebhookRow {
  return {
    ...created,
    url: new URL(url).href,
    events: storedEvents(events),
    secret,
    old_secret: null,
    old_secret_until: null,
    is_on: 1,
    ...noFailures,
  };
}

/** The fields that have neither the expected nor the new value. */
function conflictingFields(
  row: WebhookRow,
  { url, events, expected = {} }: WebhookPatch,
): string[] {
  const fields: string[] = [];
  if (url !== undefined && expected.url !== undefined)
    if (![expected.url, new URL(url).href].includes(row.url)) fields.push("url");
  if (events !== undefined && expected.events !== undefined)
    if (![expected.events, events].map(storedEvents).includes(row.events)) fields.push("events");
  return fields;
}

function columnsOf({ url, events, enabled }: WebhookPatch): Partial<WebhookRow> {
  return {
    ...(url === undefined ? {} : { url: new URL(url).href, failing_since: null }),
    ...(events === undefined ? {} : { events: storedEvents(events) }),
    ...(enabled === undefined ? {} : { is_on: enabled ? 1 : 0, ...noFailures }),
  };
}

function storedEvents(events: readonly string[] | null): string | null {
  return events === null ? null : JSON.stringify([...new Set(events)]);
}

/** Emits `webhook.test` to one webhook, unless it is switched off. */
export function sendTestEvent(
  database: Database,
  emitEvents: EmitEvents,
  id: string,
): Promise<DeliveryRow | Refusal | undefined> {
  return database.inTransaction(async (unit) => {
    const webhook = await findWebhook(unit.db, id);
    if (webhook === undefined) return undefined;
    await emitEvents(unit, [{ type: "webhook.test", subject: id }]);
    const partition = { channel: WEBHOOK_CHANNEL, target: id };
    const [delivery] = await listDeliveries(unit.db, partition, { limit: 1 });
    const isNew = delivery?.type === "webhook.test" && delivery.state === "waiting";
    return webhook.is_on === 1 && isNew ? delivery : new Refusal("webhook_off");
  });
}
