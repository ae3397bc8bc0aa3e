import {
  type Balances,
  balancesOf,
  finalStatuses,
  formatMoney,
  hasOpenMoney,
  isOpenReturn,
} from "@keepsats/domain";
import { erasureAnswerSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries, UnitOfWork } from "../../platform/database/database.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { post } from "../../platform/http/route.ts";
import { clearAnswers } from "../../platform/outbox/change-deliveries.ts";
import type { Platform } from "../../platform/platform.ts";
import { Refusal } from "../../platform/refusal.ts";
import {
  clearOrder,
  findReturnsOfOrder,
  type Orders,
  orderParams,
  orderRoute,
  type StoredStatus,
} from "../orders/index.ts";
import { readOrderAccount } from "../payments/index.ts";
import { type Actor, actorOf } from "../staff/index.ts";

/** In these statuses the shop no longer needs the customer's data. */
export const erasableStatuses: readonly StoredStatus[] = finalStatuses;

/** `at`: when the order was first erased, in epoch milliseconds. */
type ErasureOutcome = { readonly kind: "erased"; readonly at: number } | Refusal | undefined;

export type EraseOrder = ReturnType<typeof createEraseOrder>;

/**
 * Erases the personal data of a delivered or cancelled order without open money and open returns.
 * Items, amounts, statuses and the journal stay. A second call erases texts that were added since.
 * Erasing and settling an order exclude each other.
 */
export function createEraseOrder({
  database,
  amendOrder,
}: Pick<Platform, "database"> & Pick<Orders, "amendOrder">) {
  const erase = (orderId: string, by: Actor) =>
    database.inTransaction(async (unit): Promise<ErasureOutcome> => {
      await unit.lock(orderId);
      // Without the addresses, so that an order with invalid ones can be erased too.
      const order = await unit.db
        .selectFrom("orders")
        .select(["status", "erased_at"])
        .where("id", "=", orderId)
        .executeTakeFirst();
      const account = await readOrderAccount(unit.db, orderId);
      if (order === undefined || account === undefined) return undefined;
      const { status, erased_at } = order;
      if (!erasableStatuses.includes(status))
        return new Refusal("not_erasable", {
          detail: `The order is ${status}: it can be erased once it is delivered or cancelled.`,
          current_status: status,
        });
      const balances = balancesOf(account);
      if (hasOpenMoney(balances))
        return new Refusal("not_erasable", {
          detail: openMoneyText(balances),
          current_status: status,
          refund_due: balances.shop.refundDue,
        });
      const returns = await findReturnsOfOrder(unit.db, orderId);
      // An erased order is granted no refund.
      if (erased_at === null && returns.some(({ state }) => isOpenReturn(state)))
        return new Refusal("not_erasable", {
          detail: "A return of this order is open: refund or decline it first.",
          current_status: status,
        });
      const at = database.now();
      await clearPersonalData(unit, orderId, at);
      if (erased_at !== null) return { kind: "erased", at: erased_at };
      await amendOrder(unit, {
        orderId,
        kind: "erased",
        by,
        set: { erased_at: at },
        emits: { type: "order.erased" },
      });
      return { kind: "erased", at };
    });
  return async (orderId: string, by: Actor): Promise<ErasureOutcome> => {
    const outcome = await erase(orderId, by);
    // The job that erases old orders truncates the log once, at its end.
    if (by.kind !== "shop") await database.truncateLog();
    return outcome;
  };
}

/** Erases an order's personal data from every place that has some. Add new places here. */
async function clearPersonalData(unit: UnitOfWork, orderId: string, at: number): Promise<void> {
  const { db } = unit;
  await clearOrder(unit, orderId);
  await db
    .updateTable("payment_issues")
    .set({ resolution_note: "" })
    .where("order_id", "=", orderId)
    .where("resolved_at", "is not", null)
    .execute();
  // The texts that staff entered; amounts and times stay.
  await db
    .updateTable("journal")
    .set({ reason: null, method: null, reference: null })
    .where("order_id", "=", orderId)
    .where("by_name", "not in", ["provider", "shop"])
    .execute();
  // The address hashes that count emails about unpaid orders.
  const deliveries = db.selectFrom("outbox").select("id").where("subject", "=", orderId);
  await db.deleteFrom("unpaid_emails").where("delivery_id", "in", deliveries).execute();
  await clearAnswers(unit, orderId, at);
}

const operation = {
  operationId: "eraseOrder",
  summary: "Erase the personal data of a delivered or cancelled order",
  description:
    "Erases name, email, addresses, tracking and texts. Items, amounts, statuses and the journal stay. While its money must be refunded, accepted or written off, or a return of it is open, the answer is 409 not_erasable.",
  permission: "orders:erase",
  takes: z.object({ params: orderParams }),
  answers: { 200: erasureAnswerSchema },
} satisfies Operation;

export function eraseOrderRoute(app: FastifyInstance, db: Queries, eraseOrder: EraseOrder): void {
  orderRoute(app, db, post(paths.admin.erasure), operation, async ({ orderId: id }, reply) => {
    const outcome = await eraseOrder(id, actorOf(reply.request));
    return outcome?.kind === "erased" ? { id, erased_at: outcome.at } : outcome;
  });
}

/** Returns the task that must be done before the order can be erased. */
function openMoneyText({ shop, others, unknownAmounts }: Balances): string {
  const due = [shop, ...others].flatMap(({ currency, refundDue }) =>
    refundDue > 0 ? formatMoney(refundDue, currency) : [],
  );
  if (due.length > 0) return `${due.join(" and ")} must be refunded first.`;
  return unknownAmounts > 0
    ? "Money of an unknown amount must be refunded, accepted or written off first."
    : "Money must be refunded, accepted or written off first.";
}
