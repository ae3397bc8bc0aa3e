import { blankAddress, customerFields, forEachField } from "@keepsats/domain";
import * as z from "zod/mini";
import type { UnitOfWork } from "../db/database.ts";
import { addressColumn } from "./order.ts";
import { findState } from "./order-repository.ts";
import { wordsColumn } from "./search-words.ts";

/** Clears what one place holds of the person who ordered. The caller has locked the order. */
export type ClearPlace = (unit: UnitOfWork, orderId: string) => Promise<void>;

/**
 * Clears name, email, addresses, network hash, tracking, the merchant's message to the customer, and
 * the words of name and email.
 */
export const clearOrder: ClearPlace = async ({ db }, orderId) => {
  const nowhere = z.encode(addressColumn, blankAddress());
  const nobody = forEachField(customerFields, () => "");
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
 * Clears what people have written into the history: notes, reasons, previous addresses, tracking.
 * The reasons of the provider and of the shop itself are made by the program and stay.
 */
export const clearEvents: ClearPlace = async ({ db }, orderId) => {
  await db
    .updateTable("order_events")
    .set({ reason: null, data: null })
    .where("order_id", "=", orderId)
    .where("by", "not in", ["provider", "shop"])
    .execute();
};

/**
 * Clears the hash of the request that placed the order. Its key stays: if the request is repeated,
 * it is refused and places no second order.
 */
export const clearStoredRequest: ClearPlace = async ({ db }, orderId) => {
  const order = await findState(db, orderId);
  if (order === undefined) return;
  await db
    .updateTable("idempotency_keys")
    .set({ body_hash: "" })
    // A key is stored with the time of its order, and there is an index of these times.
    .where("created_at", "=", order.createdAt)
    .where("order_id", "=", orderId)
    .execute();
};
