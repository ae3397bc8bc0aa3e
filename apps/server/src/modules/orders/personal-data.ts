import { blankAddress, customerFields, mapFields } from "@keepsats/domain";
import * as z from "zod/mini";
import type { UnitOfWork } from "../../platform/database/database.ts";
import { addressColumn } from "./order.ts";
import { findState } from "./order-repository.ts";
import { wordsColumn } from "./search-words.ts";

/** Erases an order's personal data from one place. The caller has locked the order. */
export type Eraser = (unit: UnitOfWork, orderId: string) => Promise<void>;

/**
 * Erases name, email, addresses, network hash, tracking, the message to the customer, and the
 * search words of name and email.
 */
export const clearOrder: Eraser = async ({ db }, orderId) => {
  const nowhere = z.encode(addressColumn, blankAddress());
  const nobody = mapFields(customerFields, () => "");
  const items = await db
    .selectFrom("order_lines")
    .select(["item_id as id", "name"])
    .where("order_id", "=", orderId)
    .execute();
  await db
    .updateTable("orders")
    .set({
      ...nobody,
      words: wordsColumn({ ...nobody, items }),
      shipping_address: nowhere,
      billing_address: nowhere,
      carrier: null,
      tracking_number: null,
      tracking_url: null,
      merchant_message: null,
      client_hash: null,
    })
    .where("id", "=", orderId)
    .execute();
};

/**
 * Erases what people have entered in the order history: notes, reasons, previous addresses,
 * tracking. The reasons of events by the provider and by the server itself are generated, and stay.
 */
export const clearEvents: Eraser = async ({ db }, orderId) => {
  await db
    .updateTable("order_events")
    .set({ reason: null, data: null })
    .where("order_id", "=", orderId)
    .where("by", "not in", ["provider", "shop"])
    .execute();
};

/**
 * Erases the hash of the request that placed the order. The idempotency key stays: a repetition of
 * the request is refused and places no second order.
 */
export const clearStoredRequest: Eraser = async ({ db }, orderId) => {
  const order = await findState(db, orderId);
  if (order === undefined) return;
  await db
    .updateTable("idempotency_keys")
    .set({ body_hash: "" })
    // A key has the time of its order, and this column has an index.
    .where("created_at", "=", order.created_at)
    .where("order_id", "=", orderId)
    .execute();
};

/** Erases the texts of an order's returns. */
export const clearReturns: Eraser = async ({ db }, orderId) => {
  await db
    .updateTable("order_returns")
    .set({ reason: null, message: null })
    .where("order_id", "=", orderId)
    .execute();
};
