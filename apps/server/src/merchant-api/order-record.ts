import { amountFromCents } from "@keepsats/domain";
import type { Order } from "../orders/index.ts";
import { textCell } from "./formula-cells.ts";

const addressFields = ["street", "city", "state", "postal_code", "country"] as const;

/** The columns of the exported orders. Programs rely on their names; a new column comes last. */
export const orderColumns = [
  ...["id", "status", "placed_at", "customer_name", "customer_email", "items", "total"],
  ...addressFields.map((field) => `shipping_${field}`),
  ...addressFields.map((field) => `billing_${field}`),
  ...["carrier", "tracking_number", "tracking_url"],
];

/**
 * The cells of an order, in the order of {@link orderColumns}. The total is in dollars, with two
 * decimals.
 */
export function orderCells(order: Order): string[] {
  const { shipping_address, billing_address } = order;
  const lines = order.items.map(({ quantity, name, id }) => `${quantity} × ${name} (${id})`);
  return [
    order.id,
    order.status,
    new Date(order.created_at).toISOString(),
    ...[order.customer_name, order.customer_email, lines.join("; ")].map(textCell),
    amountFromCents(order.total_price).toFixed(2),
    ...[shipping_address, billing_address]
      .flatMap((address) => addressFields.map((field) => address[field]))
      .map(textCell),
    ...[order.carrier, order.tracking_number, order.tracking_url].map((text) =>
      textCell(text ?? ""),
    ),
  ];
}
