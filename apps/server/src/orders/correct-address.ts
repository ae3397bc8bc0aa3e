import {
  type Address,
  addressFields,
  awaitsShipping,
  isOrderStatus,
  isPaidStatus,
} from "@keepsats/domain";
import * as z from "zod/mini";
import type { Database } from "../db/database.ts";
import type { Announce } from "../outbox/outbox.ts";
import type { Actor } from "./actor.ts";
import type { AmendOrder } from "./amend-order.ts";
import { addressColumn, type StoredStatus } from "./order.ts";
import { findOrder } from "./order-repository.ts";

/** A new shipping address for an order; it has passed the rules of the checkout. */
export interface AddressCorrection {
  readonly orderId: string;
  readonly address: Address;
  /** The address as last read. */
  readonly expected?: Address | undefined;
  readonly by: Actor;
}

/**
 * The outcome of an {@link AddressCorrection}. `unchanged`: the order has this address already.
 * `changed-meanwhile`: its address is not the expected one. `refused`: the order is shipped,
 * delivered or cancelled, or has a status that this version does not know; `status` says which.
 */
export type AddressCorrectionOutcome =
  | { readonly kind: "corrected" }
  | { readonly kind: "unchanged" }
  | { readonly kind: "changed-meanwhile"; readonly fields: readonly string[] }
  | { readonly kind: "refused"; readonly status: StoredStatus }
  | { readonly kind: "not-found" };

/**
 * Corrects the shipping address of an order until it is shipped. The billing address is not
 * changed.
 */
export type CorrectAddress = (correction: AddressCorrection) => Promise<AddressCorrectionOutcome>;

interface Dependencies {
  readonly database: Pick<Database, "inTransaction">;
  readonly amendOrder: AmendOrder;
  readonly announce: Announce;
}

/**
 * Creates {@link CorrectAddress}. The order's event `address-corrected` keeps the previous address,
 * as `{"previous": {"street": …}}`.
 */
export function createCorrectAddress({
  database,
  amendOrder,
  announce,
}: Dependencies): CorrectAddress {
  return ({ orderId, address, expected, by }) =>
    database.inTransaction(async (unit) => {
      await unit.lock(orderId);
      const order = await findOrder(unit.db, orderId);
      if (order === undefined) return { kind: "not-found" };
      const { status, shipping_address: previous } = order;
      if (!isOrderStatus(status) || !awaitsShipping(status)) return { kind: "refused", status };
      const isPrevious = (other: Address) =>
        addressFields.every((field) => other[field] === previous[field]);
      if (isPrevious(address)) return { kind: "unchanged" };
      if (expected !== undefined && !isPrevious(expected))
        return { kind: "changed-meanwhile", fields: ["shipping_address"] };
      await amendOrder(unit, {
        orderId,
        kind: "address-corrected",
        by,
        data: { previous },
        set: { shipping_address: z.encode(addressColumn, address) },
      });
      // A paid order sends an email: anyone with its link could change its destination.
      const data = { address_of_paid: isPaidStatus(status) };
      await announce(unit, [{ type: "order.corrected", subject: orderId, data }]);
      return { kind: "corrected" };
    });
}
