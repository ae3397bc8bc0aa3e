import { type Balances, balancesOf, hasOpenMoney } from "@keepsats/domain";
import type { Database } from "../db/database.ts";
import {
  type Actor,
  type AmendOrder,
  type ClearPlace,
  clearEvents,
  clearOrder,
  clearStoredRequest,
  type StoredStatus,
} from "../orders/index.ts";
import { clearAnswers } from "../outbox/clear-answers.ts";
import type { Announce } from "../outbox/outbox.ts";
import { readAccount } from "../payments/index.ts";

/** The statuses of orders that need nothing more from the person who ordered. */
export const erasableStatuses: readonly StoredStatus[] = ["Delivered", "Cancelled"];

/**
 * The outcome of erasing. `at`: when the order was first erased, in epoch milliseconds. `refused`:
 * the order is not at its end. `open-money`: staff must decide about its money first.
 */
export type ErasureOutcome =
  | { readonly kind: "erased"; readonly at: number }
  | { readonly kind: "refused"; readonly status: StoredStatus }
  | { readonly kind: "open-money"; readonly status: StoredStatus; readonly balances: Balances }
  | { readonly kind: "not-found" };

/**
 * Erases the personal data of an order that is delivered or cancelled, without open money. Items,
 * amounts, statuses and the journal stay. Erasing again clears what was written since.
 */
export type EraseOrder = (orderId: string, by: Actor) => Promise<ErasureOutcome>;

interface Dependencies {
  readonly database: Pick<Database, "inTransaction" | "now" | "truncateLog">;
  readonly amendOrder: AmendOrder;
  readonly announce: Announce;
}

/**
 * Creates {@link EraseOrder}. It waits for a settlement of the order, and a settlement waits for
 * it.
 */
export function createEraseOrder({ database, amendOrder, announce }: Dependencies): EraseOrder {
  /** Every place that holds personal data of an order. A new one is a line here. */
  const places: readonly ClearPlace[] = [
    clearOrder,
    clearEvents,
    clearStoredRequest,
    clearResolutionNotes,
    clearJournal,
    clearLetterCounts,
    (unit, orderId) => clearAnswers(unit, orderId, database.now()),
  ];
  const erase: EraseOrder = (orderId, by) =>
    database.inTransaction(async (unit): Promise<ErasureOutcome> => {
      await unit.lock(orderId);
      // Without the addresses: an order whose stored ones cannot be read is erased too.
      const order = await unit.db
        .selectFrom("orders")
        .select(["status", "erased_at"])
        .where("id", "=", orderId)
        .executeTakeFirst();
      const account = await readAccount(unit.db, orderId);
      if (order === undefined || account === undefined) return { kind: "not-found" };
      const { status, erased_at } = order;
      if (!erasableStatuses.includes(status)) return { kind: "refused", status };
      const balances = balancesOf(account);
      if (hasOpenMoney(balances)) return { kind: "open-money", status, balances };
      for (const clear of places) await clear(unit, orderId);
      if (erased_at !== null) return { kind: "erased", at: erased_at };
      const at = database.now();
      await amendOrder(unit, { orderId, kind: "erased", by, set: { erased_at: at } });
      await announce(unit, [{ type: "order.erased", subject: orderId }]);
      return { kind: "erased", at };
    });
  return async (orderId, by) => {
    const outcome = await erase(orderId, by);
    // The task that erases old orders truncates the log once at its end.
    if (by.kind !== "shop") await database.truncateLog();
    return outcome;
  };
}

const clearResolutionNotes: ClearPlace = async ({ db }, orderId) => {
  await db
    .updateTable("payment_issues")
    .set({ resolution_note: "" })
    .where("order_id", "=", orderId)
    .where("resolved_at", "is not", null)
    .execute();
};

/** Clears what staff wrote about the order's money; amounts and times stay. */
const clearJournal: ClearPlace = async ({ db }, orderId) => {
  await db
    .updateTable("journal")
    .set({ reason: null, method: null, reference: null })
    .where("order_id", "=", orderId)
    .where("by_name", "not in", ["provider", "shop"])
    .execute();
};

/** Clears the hash of the address from the count of letters about unpaid orders. */
const clearLetterCounts: ClearPlace = async ({ db }, orderId) => {
  const deliveries = db.selectFrom("outbox").select("id").where("subject", "=", orderId);
  await db.deleteFrom("unpaid_letters").where("delivery_id", "in", deliveries).execute();
};
