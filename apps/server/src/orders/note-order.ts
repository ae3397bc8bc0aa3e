import type { Database } from "../db/database.ts";
import type { Actor } from "./actor.ts";
import type { AmendOrder } from "./amend-order.ts";

/** A note of the merchant about an order. Shoppers do not see it. */
export interface Note {
  readonly orderId: string;
  readonly by: Actor;
  readonly text: string;
}

export type NoteOutcome = { readonly kind: "noted" } | { readonly kind: "not-found" };

/** Adds a note to an order, whatever its status is. */
export type NoteOrder = (note: Note) => Promise<NoteOutcome>;

/** Creates {@link NoteOrder}. The note is kept as the order's event `noted`, with the data `{"text": …}`. */
export function createNoteOrder({
  database,
  amendOrder,
}: {
  database: Pick<Database, "inTransaction">;
  amendOrder: AmendOrder;
}): NoteOrder {
  return ({ orderId, by, text }) =>
    database.inTransaction(async (unit) => {
      const order = await amendOrder(unit, { orderId, kind: "noted", by, data: { text } });
      return { kind: order === undefined ? "not-found" : "noted" };
    });
}
