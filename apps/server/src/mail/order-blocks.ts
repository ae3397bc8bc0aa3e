import { addressFields, formatMoney, priceOfPlaced } from "@keepsats/domain";
import type { Order } from "../orders/index.ts";
import { type Block, typed } from "./letter.ts";
import { type OrderMoney, sumsIn } from "./order-money.ts";

/** The lines of an order with their totals, and the total of the order. */
export function items({ items: ordered, total_price: total }: Order): Block {
  return {
    kind: "items",
    items: ordered.map(({ name, quantity, price }) => ({
      name,
      quantity,
      total: price * quantity,
    })),
    shipping: priceOfPlaced(ordered, total).shipping,
    total,
  };
}

/**
 * Says that less than the total was accepted as the payment, or money of another currency; nothing
 * if nothing was waived.
 */
export function acceptance({ balances }: OrderMoney): Block[] {
  const { waived } = balances.shop;
  if (waived === 0) return [];
  const accepted = sumsIn(balances, ({ kept }) => kept) ?? "The payment";
  return [
    {
      kind: "text",
      text: `${accepted} was accepted as full payment; ${formatMoney(waived)} was waived.`,
    },
  ];
}

/** Name and shipping address, line by line, made safe because a customer typed them. */
export function shippingAddress({ customer_name, shipping_address }: Order): string {
  return typed(
    [customer_name, ...addressFields.map((field) => shipping_address[field])].join("\n"),
  );
}
