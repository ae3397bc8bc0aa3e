import type { Cents, VatRate } from "@keepsats/domain";
import { sellerSchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Queries, UnitOfWork } from "../../../platform/database/database.ts";
import { padded } from "../../../platform/database/in-clause.ts";

/** What a receipt or a credit note states besides the order. Amounts are cents. */
const contentSchema = z.object({
  /** The day in the time zone of the shop, such as `2026-11-27`. */
  issued_on: z.string(),
  seller: sellerSchema,
  total: z.int(),
  reduction: z.int(),
  /** The VAT rate of each line of the order, in basis points. Empty in a credit note. */
  rates: z.array(z.nullable(z.int())),
  vat: z.array(z.object({ rate: z.nullable(z.int()), gross: z.int(), vat: z.int() })),
  reason: z.nullable(z.string()),
});
export type ReceiptContent = z.output<typeof contentSchema>;

const contentColumn = z.codec(z.string(), contentSchema, {
  decode: (json) => JSON.parse(json),
  encode: (content) => JSON.stringify(content),
});

/** A receipt (`sequence` 0), or a credit note for it. */
export interface IssuedReceipt {
  readonly orderId: string;
  readonly sequence: number;
  /** The refund that a credit note is for. */
  readonly refundId: string | null;
  readonly issuedAt: number;
  readonly content: ReceiptContent;
}

/** Reads the receipt of an order, if it is issued, and its credit notes. */
export async function findIssued(db: Queries, orderId: string): Promise<IssuedReceipt[]> {
  const rows = await db
    .selectFrom("issued_receipts")
    .select([
      "order_id as orderId",
      "sequence",
      "refund_id as refundId",
      "issued_at as issuedAt",
      "content",
    ])
    .where("order_id", "=", orderId)
    .orderBy("sequence")
    .execute();
  return rows.map((row) => ({ ...row, content: z.decode(contentColumn, row.content) }));
}

export async function insertIssued(
  unit: UnitOfWork,
  issued: readonly IssuedReceipt[],
): Promise<void> {
  if (issued.length === 0) return;
  await unit.insertAll({
    issued_receipts: issued.map(({ orderId, refundId, issuedAt, sequence, content }) => ({
      order_id: orderId,
      sequence,
      refund_id: refundId,
      issued_at: issuedAt,
      content: z.encode(contentColumn, content),
    })),
  });
}

/** A line of an order, and the total of that order, in cents. */
export interface SoldLine {
  readonly orderId: string;
  readonly total: Cents;
  readonly itemId: string;
  readonly price: Cents;
  readonly quantity: number;
}

/** Reads the lines of orders in their order, by order id. */
export async function findSoldLines(
  db: Queries,
  orderIds: readonly string[],
): Promise<Map<string, SoldLine[]>> {
  const lines = await db
    .selectFrom("order_lines as line")
    .innerJoin("orders", "orders.id", "line.order_id")
    .select([
      "line.order_id as orderId",
      "orders.total",
      "line.item_id as itemId",
      "line.price",
      "line.quantity",
    ])
    .where("line.order_id", "in", padded(orderIds))
    .orderBy("line.order_id")
    .orderBy("line.position")
    .execute();
  return Map.groupBy(lines, ({ orderId }) => orderId);
}

/** Whether an order was ever paid. */
export async function wasPaid(db: Queries, orderId: string): Promise<boolean> {
  const row = await db
    .selectFrom("orders")
    .select("paid_at")
    .where("id", "=", orderId)
    .executeTakeFirst();
  return row !== undefined && row.paid_at !== null;
}

/** The VAT rates of items that have one of their own, in basis points, by item id. */
export type FindVatRates = (
  db: Queries,
  itemIds: readonly string[],
) => Promise<ReadonlyMap<string, VatRate>>;
