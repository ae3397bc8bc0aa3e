import type { Database } from "../db/database.ts";
import type { Announce } from "../outbox/outbox.ts";
import type { Actor } from "./actor.ts";
import type { AmendOrder } from "./amend-order.ts";
import type { Shipment } from "./change-status.ts";
import type { StoredStatus } from "./order.ts";
import { findState } from "./order-repository.ts";

/** What to change about how a shipped order travels: `null` removes a field, and a missing one stays as it is. */
export interface ShipmentCorrection {
  readonly orderId: string;
  readonly by: Actor;
  readonly shipment: { readonly [field in keyof Shipment]?: string | null | undefined };
}

/** The outcome of a {@link ShipmentCorrection}. `refused`: the order is not Shipped; `status` says what it is. */
export type ShipmentCorrectionOutcome =
  | { readonly kind: "corrected" }
  | { readonly kind: "refused"; readonly status: StoredStatus }
  | { readonly kind: "not-found" };

/** Corrects carrier, tracking number and tracking link of an order that is on its way. */
export type CorrectShipment = (correction: ShipmentCorrection) => Promise<ShipmentCorrectionOutcome>;

interface Dependencies {
  readonly database: Pick<Database, "inTransaction">;
  readonly amendOrder: AmendOrder;
  readonly announce: Announce;
}

/** Creates {@link CorrectShipment}. The order's event `shipment-corrected` keeps the new values. */
export function createCorrectShipment({ database, amendOrder, announce }: Dependencies): CorrectShipment {
  return ({ orderId, by, shipment }) =>
    database.inTransaction(async (unit) => {
      await unit.lock(orderId);
      const order = await findState(unit.db, orderId);
      if (order === undefined) return { kind: "not-found" };
      if (order.status !== "Shipped") return { kind: "refused", status: order.status };
      const set = given(shipment);
      await amendOrder(unit, { orderId, kind: "shipment-corrected", by, data: set, set });
      await announce(unit, [{ type: "order.corrected", subject: orderId }]);
      return { kind: "corrected" };
    });
}

/** The fields that are given. */
function given({ carrier, tracking_number, tracking_url }: ShipmentCorrection["shipment"]) {
  return {
    ...(carrier === undefined ? {} : { carrier }),
    ...(tracking_number === undefined ? {} : { tracking_number }),
    ...(tracking_url === undefined ? {} : { tracking_url }),
  };
}
