import { addressFields, priceOfPlaced } from "@keepsats/domain";
import type { Order } from "../orders/index.ts";
import { type Block, typed } from "./letter.ts";

/** The lines of an order with their totals, and the total of the order. */
export function items({ items: ordered, total_price: total }: Order): Block {
  return {
    kind: "items",
    items: ordered.map(({ name, quantity, price }) => ({ name, quantity, total: price * quantity })),
    shipping: priceOfPlaced(ordered, total).shipping,
    total,
  };
}

/** Name and shipping address, line by line, made safe because a customer typed them. */
export function shippingAddress({ customer_name, shipping_address }: Order): string {
  return typed([customer_name, ...addressFields.map((field) => shipping_address[field])].join("\n"));
}
