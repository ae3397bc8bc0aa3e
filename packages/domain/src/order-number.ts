import { shortOrderId } from "./order-fields.ts";

export const ORDER_NUMBER_PREFIX = "K-";
/** The default of the shop setting after which the numbers of the orders start. */
export const ORDER_NUMBER_START = 10_000;

/** Example: 10023 → `K-10023`. */
export function formatOrderNumber(number: number): string {
  return `${ORDER_NUMBER_PREFIX}${number}`;
}

/** The number of the receipt of an order: `K-10023` → `R-10023`. */
export function receiptNumber(orderNumber: string): string {
  return orderNumber.replace(ORDER_NUMBER_PREFIX, "R-");
}

/** The number of a credit note for a receipt: `K-10023` → `C-10023-1`. `sequence`: from 1. */
export function creditNoteNumber(orderNumber: string, sequence: number): string {
  return `${orderNumber.replace(ORDER_NUMBER_PREFIX, "C-")}-${sequence}`;
}

/** At most 15 digits: a JavaScript number holds them exactly. */
const typed = /^(?:k-?)?(\d{1,15})$/i;

/**
 * Parses an order number as people type it: `K-10023`, `k10023` or `10023`. Spaces around it and a
 * `#` before it are ignored.
 */
export function parseOrderNumber(text: string): number | undefined {
  const [, digits] = typed.exec(text.trim().replace(/^#/, "")) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** The number of an order, or the short form of its id if a server of version 1.0 sent the order. */
export function orderName({ id, number }: { id: string; number?: string | undefined }): string {
  return number ?? shortOrderId(id);
}
