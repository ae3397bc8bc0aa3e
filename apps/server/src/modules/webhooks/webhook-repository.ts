import type { Webhook } from "@keepsats/protocol";
import type { Selectable } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import type { Tables } from "../../platform/database/tables.ts";

export type WebhookRow = Selectable<Tables["webhooks"]>;

/** Oldest first. */
export async function listWebhooks(db: Queries): Promise<WebhookRow[]> {
  return db.selectFrom("webhooks").selectAll().orderBy("created_at").orderBy("id").execute();
}

export async function findWebhook(db: Queries, id: string): Promise<WebhookRow | undefined> {
  return db.selectFrom("webhooks").selectAll().where("id", "=", id).executeTakeFirst();
}

/** @returns the changed webhook; `undefined` if the id is unknown */
export async function updateWebhook(
  db: Queries,
  id: string,
  columns: Partial<Omit<WebhookRow, "id">>,
): Promise<WebhookRow | undefined> {
  if (Object.keys(columns).length === 0) return findWebhook(db, id);
  return db
    .updateTable("webhooks")
    .set(columns)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}

/**
 * A webhook without its secrets.
 *
 * @param now epoch milliseconds
 */
export function webhookAnswer(row: WebhookRow, now: number): Webhook {
  const { id, url, events, off_reason, failing_since, created_by, created_at } = row;
  const until = row.old_secret_until;
  return {
    id,
    url,
    events: events === null ? null : JSON.parse(events),
    enabled: row.is_on === 1,
    off_reason,
    failing_since,
    old_secret_until: until !== null && until > now ? until : null,
    created_by,
    created_at,
  };
}
