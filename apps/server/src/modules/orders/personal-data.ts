import { blankAddress, customerFields, mapFields } from "@keepsats/domain";
import * as z from "zod/mini";
import type { UnitOfWork } from "../../platform/database/database.ts";
import { wordsColumn } from "./lists/search-words.ts";
import { addressColumn } from "./order.ts";

/** Erases the personal data of an order. The caller has locked the order. */
export async function clearOrder({ db }: UnitOfWork, orderId: string): Promise<void> {
  const nowhere = z.encode(addressColumn, blankAddress());
  const nobody = mapFields(customerFields, () => "");
  const items = await db
    .selectFrom("order_lines")
    .select(["item_id as id", "name"])
    .where("order_id", "=", orderId)
    .execute();
  const { created_at } = await db
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
    .returning("created_at")
    .executeTakeFirstOrThrow();
  // Notes, reasons, previous addresses and tracking. The reasons of events by the provider and by
  // the server itself are generated, and stay.
  await db
    .updateTable("order_events")
    .set({ reason: null, data: null })
    .where("order_id", "=", orderId)
    .where("by", "not in", ["provider", "shop"])
    .execute();
  await db
    .updateTable("order_returns")
    .set({ reason: null, message: null })
    .where("order_id", "=", orderId)
    .execute();
  // The idempotency key stays: a repetition of the request is refused and places no second order.
  await db
    .updateTable("idempotency_keys")
    .set({ body_hash: "" })
    // A key has the time of its order, and this column has an index.
    .where("created_at", "=", created_at)
    .where("order_id", "=", orderId)
    .execute();
}
