import { randomBytes } from "node:crypto";
import {
  MAX_WEBHOOKS,
  type NewWebhook,
  type Webhook,
  type WebhookPatch,
  type WebhookWithSecret,
} from "@keepsats/protocol";
import type { Bus } from "../bus/bus.ts";
import { type Asker, itself } from "../db/asker.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { WEBHOOK_CHANNEL } from "../outbox/channel.ts";
import { endDeliveries } from "../outbox/end-deliveries.ts";
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  updateWebhook,
  type WebhookRow,
  webhookAnswer,
} from "./webhook-repository.ts";

/** The outcome of a change. `changed-meanwhile`: `fields` differ from the expected ones. */
export type ChangedWebhook =
  | { readonly kind: "stored"; readonly webhook: Webhook }
  | { readonly kind: "changed-meanwhile"; readonly fields: readonly string[] }
  | { readonly kind: "unknown" };

/** Makes, changes and removes webhooks for the merchant. `undefined` stands for an unknown id. */
export interface EditWebhooks {
  list(): Promise<Webhook[]>;
  /**
   * Adds a webhook. A request that is repeated with the same address and secret, for example
   * because its answer was lost, adds none: it answers the one that is there, with the events of
   * this request.
   *
   * @returns the webhook with its secret; `undefined` if the shop has as many as it may have
   */
  create(webhook: NewWebhook, by: Asker): Promise<WebhookWithSecret | undefined>;
  /**
   * Changes a webhook if its fields are as the patch expects. Switching it on, or to another
   * address, forgets its failures. Missed events are not sent.
   */
  change(id: string, patch: WebhookPatch, by: Asker): Promise<ChangedWebhook>;
  /**
   * Gives it a new secret; the previous one goes on signing for {@link OLD_SECRET_LASTS}. The
   * secret that it has changes nothing.
   */
  changeSecret(
    id: string,
    secret: string | undefined,
    by: Asker,
  ): Promise<WebhookWithSecret | undefined>;
  /** Its waiting deliveries end as skipped. */
  remove(id: string): Promise<Webhook | undefined>;
  /**
   * Switches it off because it fails at this address, and gives its waiting deliveries up.
   *
   * @returns false if it has another address by now, and stays on
   */
  switchOff(webhook: Pick<WebhookRow, "id" | "url">, reason: string): Promise<boolean>;
}

interface Dependencies {
  readonly database: Database;
  readonly bus: Bus;
  readonly newId: () => string;
  /** Resolves when this process has read every published change. */
  readonly settled: () => Promise<void>;
  readonly onSwitchedOff: (webhook: WebhookRow) => void;
}

const HOUR = 60 * 60_000;
/** How long the previous secret goes on signing, in milliseconds. */
const OLD_SECRET_LASTS = 24 * HOUR;
const NEW_SECRET_BYTES = 32;
const forgetFailures = { failing_since: null, off_reason: null };

/** Creates {@link EditWebhooks}. Other processes are told of changes over the bus. */
export function createEditWebhooks(dependencies: Dependencies): EditWebhooks {
  const { database, bus, newId, settled, onSwitchedOff } = dependencies;
  const { now } = database;

  /** Runs a change in a transaction; when it resolves, this process knows the change. */
  async function changing<T>(work: (unit: UnitOfWork) => Promise<T>, by = itself): Promise<T> {
    const result = await database.inTransaction(async (unit) => {
      await by.hold(unit, "webhooks");
      unit.afterCommit(() => bus.publish({ topic: "webhooks" }));
      return work(unit);
    });
    await settled();
    return result;
  }

  const answer = (row: WebhookRow | undefined) =>
    row === undefined ? undefined : webhookAnswer(row, now());
  const withSecret = (row: WebhookRow): WebhookWithSecret => ({
    ...webhookAnswer(row, now()),
    secret: row.secret,
  });
  const end = (unit: UnitOfWork, id: string, state: "skipped" | "given-up", why: string) =>
    endDeliveries(
      unit,
      { channel: WEBHOOK_CHANNEL, target: id },
      { state, answer: why, now: now() },
    );

  return {
    list: async () => (await listWebhooks(database.db)).map((row) => webhookAnswer(row, now())),
    create: (webhook, by) =>
      changing(async (unit) => {
        const all = await listWebhooks(unit.db);
        const same = all.find((row) => isAddedAgain(row, webhook));
        if (same !== undefined) {
          const events = storedEvents(webhook.events ?? null);
          const changed = await updateWebhook(unit.db, same.id, { events });
          return changed === undefined ? undefined : withSecret(changed);
        }
        if (all.length >= MAX_WEBHOOKS) return undefined;
        const row = newRow(webhook, { id: newId(), created_by: by.name, created_at: now() });
        await insertWebhook(unit, row);
        return withSecret(row);
      }, by),
    change: (id, patch, by) =>
      changing(async (unit) => {
        const row = await findWebhook(unit.db, id);
        const fields = row === undefined ? [] : overtakenFields(row, patch);
        if (fields.length > 0) return { kind: "changed-meanwhile", fields };
        if (patch.enabled === false)
          await end(unit, id, "skipped", "The webhook was switched off.");
        const webhook = answer(await updateWebhook(unit.db, id, columnsOf(patch)));
        return webhook === undefined ? { kind: "unknown" } : { kind: "stored", webhook };
      }, by),
    changeSecret: (id, given, by) =>
      changing(async (unit) => {
        const secret = given ?? newSecret();
        const row = await findWebhook(unit.db, id);
        if (row === undefined) return undefined;
        // The request is repeated because its answer was lost: the previous secret goes on signing.
        if (secret === row.secret) return withSecret(row);
        const old = { old_secret: row.secret, old_secret_until: now() + OLD_SECRET_LASTS };
        const changed = await updateWebhook(unit.db, id, { secret, ...old });
        return changed === undefined ? undefined : withSecret(changed);
      }, by),
    remove: (id) =>
      changing(async (unit) => {
        await end(unit, id, "skipped", "The webhook was removed.");
        return answer(await deleteWebhook(unit, id));
      }),
    switchOff: ({ id, url }, reason) =>
      changing(async (unit) => {
        const row = await findWebhook(unit.db, id);
        if (row === undefined || row.is_on === 0) return true;
        if (row.url !== url) return false;
        await end(unit, id, "given-up", `The webhook was switched off. ${reason}`);
        const changed = await updateWebhook(unit.db, id, { is_on: 0, off_reason: reason });
        if (changed !== undefined) unit.afterCommit(() => onSwitchedOff(changed));
        return true;
      }),
  };
}

function newSecret(): string {
  return `whsec_${randomBytes(NEW_SECRET_BYTES).toString("base64")}`;
}

/** Whether a webhook that is to be added is there already and on, by its address and its secret. */
function isAddedAgain(row: WebhookRow, { url, secret }: NewWebhook): boolean {
  return row.is_on === 1 && row.secret === secret && row.url === new URL(url).href;
}

function newRow(
  { url, events = null, secret = newSecret() }: NewWebhook,
  made: Pick<WebhookRow, "id" | "created_by" | "created_at">,
): WebhookRow {
  return {
    ...made,
    url: new URL(url).href,
    events: storedEvents(events),
    secret,
    old_secret: null,
    old_secret_until: null,
    is_on: 1,
    ...forgetFailures,
  };
}

/** The fields that are neither what a patch expects nor what it makes of them. */
function overtakenFields(row: WebhookRow, { url, events, expected = {} }: WebhookPatch): string[] {
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
    ...(enabled === undefined ? {} : { is_on: enabled ? 1 : 0, ...forgetFailures }),
  };
}

function storedEvents(events: readonly string[] | null): string | null {
  return events === null ? null : JSON.stringify([...new Set(events)]);
}
