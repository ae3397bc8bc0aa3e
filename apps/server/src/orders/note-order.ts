import * as z from "zod/mini";
import type { Database, Queries } from "../db/database.ts";
import type { Actor } from "./actor.ts";
import type { AmendOrder } from "./amend-order.ts";
import { listEvents } from "./order-repository.ts";

/** A note of the merchant about an order. Shoppers do not see it. */
export interface Note {
  readonly orderId: string;
  readonly by: Actor;
  readonly text: string;
  /** Retries with the same key store the note once. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * `repeated`: an earlier request with this key stored the same note. `key-reused`: it stored a
 * different one.
 */
export type NoteOutcome = { readonly kind: "noted" | "repeated" | "key-reused" | "not-found" };

/** Adds a note to an order, whatever its status is. */
export type NoteOrder = (note: Note) => Promise<NoteOutcome>;

const dataSchema = z.object({ text: z.string(), key: z.optional(z.string()) });

/**
 * Creates {@link NoteOrder}. The note is kept as the order's event `noted`, with the data `{"text":
 * …, "key": …}`.
 */
export function createNoteOrder({
  database,
  amendOrder,
}: {
  database: Pick<Database, "inTransaction">;
  amendOrder: AmendOrder;
}): NoteOrder {
  return ({ orderId, by, text, idempotencyKey: key }) =>
    database.inTransaction(async (unit): Promise<NoteOutcome> => {
      if (key !== undefined) {
        await unit.lock(orderId);
        const earlier = await findNote(unit.db, orderId, key);
        if (earlier !== undefined) return { kind: earlier === text ? "repeated" : "key-reused" };
      }
      const order = await amendOrder(unit, { orderId, kind: "noted", by, data: { text, key } });
      return { kind: order === undefined ? "not-found" : "noted" };
    });
}

async function findNote(db: Queries, orderId: string, key: string): Promise<string | undefined> {
  for (const { kind, data } of await listEvents(db, orderId)) {
    if (kind !== "noted" || data === null) continue;
    const note = dataSchema.parse(JSON.parse(data));
    if (note.key === key) return note.text;
  }
  return undefined;
}
