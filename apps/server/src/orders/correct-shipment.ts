import type { Database } from "../db/database.ts";
import type { Announce } from "../outbox/outbox.ts";
import type { Actor } from "./actor.ts";
import type { AmendOrder } from "./amend-order.ts";
import type { Shipment } from "./change-status.ts";
import type { StoredStatus } from "./order.ts";
import { findOrder } from "./order-repository.ts";

/**
 * What to change about how a shipped order travels: `null` removes a field, and a missing one stays
 * as it is.
 */
export interface ShipmentCorrection {
  readonly orderId: string;
  readonly by: Actor;
  readonly shipment: ShipmentFields;
  /** The fields as last read. */
  readonly expected?: ShipmentFields | undefined;
}

type ShipmentFields = { readonly [field in keyof Shipment]?: string | null | undefined };

/**
 * The outcome of a {@link ShipmentCorrection}. `unchanged`: the order already has these values.
 * `refused`: the order is not Shipped but `status`. `changed-meanwhile`: the stored fields are not
 * the expected ones.
 */
export type ShipmentCorrectionOutcome =
  | { readonly kind: "corrected" | "unchanged" }
  | { readonly kind: "changed-meanwhile"; readonly fields: readonly string[] }
  | { readonly kind: "refused"; readonly status: StoredStatus }
  | { readonly kind: "not-found" };

/** Corrects carrier, tracking number and tracking link of an order that is on its way. */
export type CorrectShipment = (
  correction: ShipmentCorrection,
) => Promise<ShipmentCorrectionOutcome>;

interface Dependencies {
  readonly database: Pick<Database, "inTransaction">;
  readonly amendOrder: AmendOrder;
  readonly announce: Announce;
}

const fields = ["carrier", "tracking_number", "tracking_url"] as const;

/** Creates {@link CorrectShipment}. The order's event `shipment-corrected` keeps the new values. */
export function createCorrectShipment({
  database,
  amendOrder,
  announce,
}: Dependencies): CorrectShipment {
  return ({ orderId, by, shipment, expected = {} }) =>
    database.inTransaction(async (unit) => {
      await unit.lock(orderId);
      const order = await findOrder(unit.db, orderId);
      if (order === undefined) return { kind: "not-found" };
      if (order.status !== "Shipped") return { kind: "refused", status: order.status };
      const edited = fields.filter(
        (field) => shipment[field] !== undefined && shipment[field] !== order[field],
      );
      if (edited.length === 0) return { kind: "unchanged" };
      const overtaken = edited.filter(
        (field) => expected[field] !== undefined && expected[field] !== order[field],
      );
      if (overtaken.length > 0) return { kind: "changed-meanwhile", fields: overtaken };
      const set = Object.fromEntries(edited.map((field) => [field, shipment[field]]));
      await amendOrder(unit, { orderId, kind: "shipment-corrected", by, data: set, set });
      await announce(unit, [{ type: "order.corrected", subject: orderId }]);
      return { kind: "corrected" };
    });
}
