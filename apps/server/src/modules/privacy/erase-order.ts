import {
  type Balances,
  balancesOf,
  finalStatuses,
  hasOpenMoney,
  isOpenReturn,
} from "@keepsats/domain";
import type { Database } from "../../platform/database/database.ts";
import { clearAnswers } from "../../platform/outbox/change-deliveries.ts";
import type { EmitEvents } from "../../platform/outbox/emit-events.ts";
import {
  type AmendOrder,
  clearEvents,
  clearOrder,
  clearReturns,
  clearStoredRequest,
  type Eraser,
  findReturnsOfOrder,
  type StoredStatus,
} from "../orders/index.ts";
import { readOrderAccount } from "../payments/index.ts";
import type { Actor } from "../staff/index.ts";

/** In these statuses the shop no longer needs the customer's data. */
export const erasableStatuses: readonly StoredStatus[] = finalStatuses;

/**
 * `at`: when the order was first erased, in epoch milliseconds. `refused`: its status is not final.
 * `open-money`: its money must be refunded, accepted or written off first. `open-return`: a return
 * must be refunded or declined first, because an erased order is granted no refund.
 */
export type ErasureOutcome =
  | { readonly kind: "erased"; readonly at: number }
  | { readonly kind: "refused"; readonly status: StoredStatus }
  | { readonly kind: "open-return"; readonly status: StoredStatus }
  | { readonly kind: "open-money"; readonly status: StoredStatus; readonly balances: Balances }
  | { readonly kind: "not-found" };

/**
 * Erases the personal data of a delivered or cancelled order without open money and open returns.
 * Items, amounts, statuses and the journal stay. A second call erases texts that were added since.
 */
export type EraseOrder = (orderId: string, by: Actor) => Promise<ErasureOutcome>;

interface Dependencies {
  readonly database: Pick<Database, "inTransaction" | "now" | "truncateLog">;
  readonly amendOrder: AmendOrder;
  readonly emitEvents: EmitEvents;
}

/** Erasing and settling an order exclude each other. */
export function createEraseOrder({ database, amendOrder, emitEvents }: Dependencies): EraseOrder {
  /** One for each place with personal data of an order. Add new ones here. */
  const erasers: readonly Eraser[] = [
    clearOrder,
    clearEvents,
    clearReturns,
    clearStoredRequest,
    clearResolutionNotes,
    clearJournal,
    clearEmailCounts,
    (unit, orderId) => clearAnswers(unit, orderId, database.now()),
  ];
  const erase: EraseOrder = (orderId, by) =>
    database.inTransaction(async (unit): Promise<ErasureOutcome> => {
      await unit.lock(orderId);
      // Without the addresses, so that an order with invalid ones can be erased too.
      const order = await unit.db
        .selectFrom("orders")
        .select(["status", "erased_at"])
        .where("id", "=", orderId)
        .executeTakeFirst();
      const account = await readOrderAccount(unit.db, orderId);
      if (order === undefined || account === undefined) return { kind: "not-found" };
      const { status, erased_at } = order;
      if (!erasableStatuses.includes(status)) return { kind: "refused", status };
      const balances = balancesOf(account);
      if (hasOpenMoney(balances)) return { kind: "open-money", status, balances };
      const returns = await findReturnsOfOrder(unit.db, orderId);
      if (erased_at === null && returns.some(({ state }) => isOpenReturn(state)))
        return { kind: "open-return", status };
      for (const eraser of erasers) await eraser(unit, orderId);
      if (erased_at !== null) return { kind: "erased", at: erased_at };
      const at = database.now();
      await amendOrder(unit, { orderId, kind: "erased", by, set: { erased_at: at } });
      await emitEvents(unit, [{ type: "order.erased", subject: orderId }]);
      return { kind: "erased", at };
    });
  return async (orderId, by) => {
    const outcome = await erase(orderId, by);
    // The job that erases old orders truncates the log once, at its end.
    if (by.kind !== "shop") await database.truncateLog();
    return outcome;
  };
}

const clearResolutionNotes: Eraser = async ({ db }, orderId) => {
  await db
    .updateTable("payment_issues")
    .set({ resolution_note: "" })
    .where("order_id", "=", orderId)
    .where("resolved_at", "is not", null)
    .execute();
};

/** Erases the texts that staff entered; amounts and times stay. */
const clearJournal: Eraser = async ({ db }, orderId) => {
  await db
    .updateTable("journal")
    .set({ reason: null, method: null, reference: null })
    .where("order_id", "=", orderId)
    .where("by_name", "not in", ["provider", "shop"])
    .execute();
};

/** Erases the address hash that counts emails about unpaid orders. */
const clearEmailCounts: Eraser = async ({ db }, orderId) => {
  const deliveries = db.selectFrom("outbox").select("id").where("subject", "=", orderId);
  await db.deleteFrom("unpaid_emails").where("delivery_id", "in", deliveries).execute();
};
