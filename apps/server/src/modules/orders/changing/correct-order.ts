import {
  type Address,
  addressFields,
  awaitsShipping,
  isPaidStatus,
  trackingUrlOf,
} from "@keepsats/domain";
import { orderPatchAnswerSchema, orderPatchSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { patch } from "../../../platform/http/route.ts";
import type { Platform } from "../../../platform/platform.ts";
import { changedSinceRead, Refusal } from "../../../platform/refusal.ts";
import { type Actor, actorOf, isPermitted } from "../../staff/index.ts";
import { addressColumn, type Order, type StoredStatus } from "../order.ts";
import { lockOrder } from "../order-repository.ts";
import { orderParams, orderRoute } from "../order-route.ts";
import type { AmendOrder } from "./amend-order.ts";
import type { Shipment } from "./change-status.ts";

/**
 * `unchanged`: the order already has these values. `undefined`: there is no such order. It is
 * refused if its status permits no such correction, or if fields no longer have the expected values.
 */
type CorrectionOutcome = { readonly kind: "corrected" | "unchanged" } | Refusal | undefined;

function correctionRefused(status: StoredStatus, rule: string): Refusal {
  const detail = `The order is ${status}: ${rule}.`;
  return new Refusal("correction_refused", { detail, current_status: status });
}

interface AddressCorrection {
  readonly orderId: string;
  readonly by: Actor;
  /** An address that has passed the rules of the checkout. */
  readonly address: Address;
  /** The address as last read. */
  readonly expected?: Address | undefined;
}

const shipmentFields = ["carrier", "tracking_number", "tracking_url"] as const;

/** `null` removes a field, and a missing one stays as it is. */
type ShipmentFields = { readonly [field in keyof Shipment]?: string | null | undefined };

interface ShipmentCorrection {
  readonly orderId: string;
  readonly by: Actor;
  readonly shipment: ShipmentFields;
  /** The fields as last read. */
  readonly expected?: ShipmentFields | undefined;
}

export type Corrections = ReturnType<typeof createCorrections>;

export function createCorrections({
  database,
  amendOrder,
}: Pick<Platform, "database"> & { readonly amendOrder: AmendOrder }) {
  return {
    /**
     * Corrects the shipping address of an order until it is shipped; the billing address is not
     * changed. The order event `address-corrected` keeps the previous address, as `{"previous":
     * {"street": …}}`.
     */
    correctAddress({ orderId, by, address, expected }: AddressCorrection) {
      return database.inTransaction(async (unit): Promise<CorrectionOutcome> => {
        const order = await lockOrder(unit, orderId);
        if (order === undefined) return undefined;
        const { status, shipping_address: previous } = order;
        if (!awaitsShipping(status))
          return correctionRefused(status, "its address can be corrected only until it ships");
        const isPrevious = (other: Address) =>
          addressFields.every((field) => other[field] === previous[field]);
        if (isPrevious(address)) return { kind: "unchanged" };
        if (expected !== undefined && !isPrevious(expected))
          return changedSinceRead("order", ["shipping_address"]);
        await amendOrder(unit, {
          orderId,
          kind: "address-corrected",
          by,
          data: { previous },
          set: { shipping_address: z.encode(addressColumn, address) },
          // A paid order sends an email: anyone with its link could change its destination.
          emits: { type: "order.corrected", data: { address_of_paid: isPaidStatus(status) } },
        });
        return { kind: "corrected" };
      });
    },

    /**
     * Corrects carrier, tracking number and tracking link of a shipped order. The order event
     * `shipment-corrected` keeps the new values.
     */
    correctShipment({ orderId, by, shipment, expected = {} }: ShipmentCorrection) {
      return database.inTransaction(async (unit): Promise<CorrectionOutcome> => {
        const order = await lockOrder(unit, orderId);
        if (order === undefined) return undefined;
        if (order.status !== "Shipped")
          return correctionRefused(order.status, "only a shipped order has tracking");
        const corrected = { ...shipment, tracking_url: trackingUrlAfter(order, shipment) };
        const edited = shipmentFields.filter(
          (field) => corrected[field] !== undefined && corrected[field] !== order[field],
        );
        if (edited.length === 0) return { kind: "unchanged" };
        const fields = edited.filter(
          (field) => expected[field] !== undefined && expected[field] !== order[field],
        );
        if (fields.length > 0) return changedSinceRead("order", fields);
        const set = Object.fromEntries(edited.map((field) => [field, corrected[field]]));
        await amendOrder(unit, {
          orderId,
          kind: "shipment-corrected",
          by,
          data: set,
          set,
          emits: { type: "order.corrected" },
        });
        return { kind: "corrected" };
      });
    },
  };
}

/**
 * The link after a correction: the requested one, or one made from carrier and number, unless staff
 * have typed the stored link. `undefined` keeps it.
 */
function trackingUrlAfter(
  order: Order,
  { carrier, tracking_number, tracking_url }: ShipmentFields,
) {
  if (tracking_url !== undefined) return tracking_url;
  const after = {
    carrier: carrier === undefined ? order.carrier : carrier,
    tracking_number: tracking_number === undefined ? order.tracking_number : tracking_number,
  };
  const isSame = after.carrier === order.carrier && after.tracking_number === order.tracking_number;
  const isTyped = order.tracking_url !== null && order.tracking_url !== trackingUrlOf(order);
  return isSame || isTyped ? undefined : (trackingUrlOf(after) ?? null);
}

const operation = {
  operationId: "correctOrder",
  summary:
    "Correct the shipping address of an order until it ships, or the tracking of a shipped one",
  description:
    "`expected` may contain fields as they were last read. If a field to be corrected has changed since, nothing is stored and the answer is 409 order_changed, unless the field already has its new value. Without `tracking_url` the link follows carrier and number, unless it was sent by hand. Correcting an address needs the permission orders:write.",
  permission: "orders:pack",
  takes: z.object({ params: orderParams, body: orderPatchSchema }),
  answers: { 200: orderPatchAnswerSchema },
} satisfies Operation;

/** The staff route. Customers correct only the address, see `customer-routes.ts`. */
export function correctOrderRoute(
  app: FastifyInstance,
  db: Queries,
  { correctAddress, correctShipment }: Corrections,
): void {
  orderRoute(app, db, patch(paths.admin.order), operation, async ({ orderId, body }, reply) => {
    const by = actorOf(reply.request);
    const { shipping_address: address, expected, ...shipment } = body;
    if (address !== undefined && !isPermitted(reply.request, "orders:write"))
      return new Refusal("permission_required");
    const outcome =
      address === undefined
        ? await correctShipment({ orderId, by, shipment, expected })
        : await correctAddress({ orderId, by, address, expected: expected?.shipping_address });
    if (outcome === undefined || outcome.kind === "refused") return outcome;
    return { id: orderId, changed: outcome.kind === "corrected" };
  });
}
