import { awaitsPayment, dollarsFromCents } from "@keepsats/domain";
import { type MismatchKind, mismatchKinds, type WireFollowedOrder } from "@keepsats/protocol";
import { createEditCatalogue, type Edited } from "./catalogue/edit-catalogue.ts";
import type { Item } from "./catalogue/item.ts";
import { listItems } from "./catalogue/item-repository.ts";
import { wireItem } from "./catalogue/wire-item.ts";
import { epochSeconds } from "./clock.ts";
import type { Database, Queries } from "./db/database.ts";
import { commitInGroups } from "./db/in-groups.ts";
import type { MerchantCatalogue } from "./merchant-api/item-routes.ts";
import type { MerchantOrders } from "./merchant-api/merchant-orders.ts";
import {
  type ChangeStatuses,
  findOrder,
  findOrders,
  listEvents,
  listOrders,
  type Order,
  resolveOrderId,
  type StatusChange,
  type StatusChangeOutcome,
  wireOrder,
} from "./orders/index.ts";
import {
  listMismatches,
  loansOf,
  meaningOf,
  mismatchesOf,
  payingLoans,
  type RecordRefundsOwed,
} from "./payments/index.ts";

/** An order as its followers see it, and the contracts that have paid it. */
export interface FollowedOrder {
  readonly version: number;
  readonly wire: WireFollowedOrder;
  readonly paidBy: readonly string[];
}

/** Reads many orders for their followers, by their ids. */
export async function followedOrders(
  db: Queries,
  ids: readonly string[],
): Promise<Map<string, FollowedOrder>> {
  const orders = await findOrders(db, ids);
  const mayBePaid = [...orders.values()].filter(({ status }) => !awaitsPayment(status)).map(({ id }) => id);
  const paidBy = mayBePaid.length === 0 ? new Map<string, string[]>() : await payingLoans(db, mayBePaid);
  return new Map([...orders].map(([id, order]) => [id, followedOrder(order, paidBy.get(id) ?? [])]));
}

function followedOrder(order: Order, paidBy: readonly string[]): FollowedOrder {
  return {
    version: order.version,
    paidBy,
    wire: {
      ...wireOrder(order),
      customer_name: order.customerName,
      customer_email: order.customerEmail,
      shipping_address: order.shippingAddress,
      payment_attempt_over: order.attemptOver,
    },
  };
}

/** Orders as the merchant sees them, with what payments know of them. */
export function merchantOrders({
  database,
  changeStatuses,
  recordRefundsOwed,
}: {
  database: Database;
  changeStatuses: ChangeStatuses;
  recordRefundsOwed: RecordRefundsOwed;
}): MerchantOrders {
  const { db } = database;
  const move = commitInGroups<StatusChange, StatusChangeOutcome>(database, async (unit, changes) => {
    const outcomes = await changeStatuses(unit, changes);
    const cancelled = changes.filter(
      ({ to }, index) => to === "Cancelled" && outcomes[index]?.kind === "changed",
    );
    await recordRefundsOwed(
      unit,
      cancelled.map(({ orderId }) => orderId),
    );
    return outcomes;
  });
  return {
    list: (options) => listOrders(db, options),
    resolve: (given) => resolveOrderId(db, given),
    move: (change) => move({ ...change, by: "merchant" }),

    async show(id) {
      const order = await findOrder(db, id);
      if (order === undefined) return undefined;
      const events = await listEvents(db, id);
      const loans = await loansOf(db, id);
      const mismatches = await mismatchesOf(db, id);
      return {
        ...wireOrder(order),
        status: order.status,
        customer_name: order.customerName,
        customer_email: order.customerEmail,
        shipping_address: order.shippingAddress,
        billing_address: order.billingAddress,
        events: events.map(({ from_status, to_status, by, reason, at }) => ({
          from: from_status,
          to: to_status,
          by,
          reason,
          at: epochSeconds(at),
        })),
        contracts: loans.map((loan) => ({
          id: loan.id,
          status: loan.word,
          meaning: meaningOf(loan.standing),
          amount: loan.cents === undefined ? null : dollarsFromCents(loan.cents),
          extends: loan.extends ?? null,
          bound_at: epochSeconds(loan.boundAt),
        })),
        mismatches: mismatches.flatMap(({ contract_id, kind, detail, seen_at }) => {
          const known = mismatchKind(kind);
          if (known === undefined) return [];
          return [{ contract_id, kind: known, detail, seen_at: epochSeconds(seen_at) }];
        }),
      };
    },

    async mismatches({ after, limit }) {
      const rows = await listMismatches(db, { after, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const mismatches = page.flatMap(({ contract_id, order_id, kind, detail, seen_at }) => {
        const known = mismatchKind(kind);
        return known === undefined
          ? []
          : [
              {
                contract_id,
                order_id: order_id === "" ? null : order_id,
                kind: known,
                detail,
                seen_at: epochSeconds(seen_at),
              },
            ];
      });
      return {
        mismatches,
        next: last && {
          seenAt: last.seen_at,
          contractId: last.contract_id,
          orderId: last.order_id,
          kind: last.kind,
        },
      };
    },
  };
}

function mismatchKind(kind: string): MismatchKind | undefined {
  return mismatchKinds.find((name) => name === kind);
}

/** The catalogue as the merchant sees and changes it. */
export function merchantCatalogue(parts: Parameters<typeof createEditCatalogue>[0]): MerchantCatalogue {
  const edit = createEditCatalogue(parts);
  const wire = (item: Item) => ({ ...wireItem(item), hidden: item.hidden });
  const wireEdited = (edited: Edited) =>
    edited.kind === "stored" ? { kind: edited.kind, item: wire(edited.item) } : edited;
  return {
    list: async () => (await listItems(parts.database.db)).map(wire),
    put: async (id, item) => wireEdited(await edit.put(id, item)),
    patch: async (id, patch) => wireEdited(await edit.patch(id, patch)),
    importItems: edit.importItems,
  };
}
