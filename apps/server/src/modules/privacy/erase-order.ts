import {
  type Balances,
  balancesOf,
  finalStatuses,
  formatMoneyIn,
  hasOpenMoney,
  isOpenReturn,
} from "@keepsats/domain";
import { erasureAnswerSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { sendProblem } from "../../platform/http/problems.ts";
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
  orderParams,
  orderRoute,
  type StoredStatus,
  sendUnknownOrder,
} from "../orders/index.ts";
import { readOrderAccount } from "../payments/index.ts";
import { type Actor, actorOf } from "../staff/index.ts";

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

const operation = {
  operationId: "eraseOrder",
  summary: "Erase the personal data of a delivered or cancelled order",
  description:
    "Erases name, email, addresses, tracking and texts. Items, amounts, statuses and the journal stay. While its money must be refunded, accepted or written off, or a return of it is open, the answer is 409 not_erasable.",
  permission: "orders:erase",
  takes: z.object({ params: orderParams }),
  answers: { 200: erasureAnswerSchema },
} satisfies Operation;

export function eraseOrderRoute(
  app: FastifyInstance,
  { db, eraseOrder }: { db: Queries; eraseOrder: EraseOrder },
): void {
  const endpoint = { method: "POST", path: paths.admin.erasure } as const;
  orderRoute(app, db, endpoint, operation, async ({ orderId: id }, reply) => {
    const outcome = await eraseOrder(id, actorOf(reply.request));
    switch (outcome.kind) {
      case "erased":
        return { id, erased_at: outcome.at };
      case "refused": {
        const { status } = outcome;
        const detail = `The order is ${status}: it can be erased once it is delivered or cancelled.`;
        return sendProblem(reply, "not_erasable", { detail, current_status: status });
      }
      case "open-return":
        return sendProblem(reply, "not_erasable", {
          detail: "A return of this order is open: refund or decline it first.",
          current_status: outcome.status,
        });
      case "open-money": {
        const { status, balances } = outcome;
        return sendProblem(reply, "not_erasable", {
          detail: openMoneyText(balances),
          current_status: status,
          refund_due: balances.shop.refundDue,
        });
      }
      case "not-found":
        return sendUnknownOrder(reply);
    }
  });
}

/** Returns the task that must be done before the order can be erased. */
function openMoneyText({ shop, others, unknownAmounts }: Balances): string {
  const due = [shop, ...others].flatMap(({ currency, refundDue }) =>
    refundDue > 0 ? formatMoneyIn(refundDue, currency) : [],
  );
  if (due.length > 0) return `${due.join(" and ")} must be refunded first.`;
  return unknownAmounts > 0
    ? "Money of an unknown amount must be refunded, accepted or written off first."
    : "Money must be refunded, accepted or written off first.";
}
