import { type MerchantOrder, merchantOrderSchema, paths, withId } from "@keepsats/protocol";
import type { Client } from "./client.ts";

/** The id of an order without the `#` with which the screens show it. */
export function orderIdOf(typed: string): string {
  return typed.replace(/^#/, "");
}

/** Reads an order by its id or the beginning of it. */
export function readOrder(client: Client, typed: string): Promise<MerchantOrder> {
  const path = withId(paths.merchant.order, orderIdOf(typed));
  return client.call({ path, answer: merchantOrderSchema });
}
