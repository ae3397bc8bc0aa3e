import { creditNoteNumber, type VatRate } from "@keepsats/domain";
import { sellerSchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Queries, UnitOfWork } from "../../../platform/database/database.ts";
import { readInBatches } from "../../../platform/database/read-in-batches.ts";
import type { Order } from "../../orders/index.ts";
import type { Period } from "../journal/period.ts";

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

function selectIssued(db: Queries) {
  return db
    .selectFrom("issued_receipts")
    .select([
      "order_id as orderId",
      "sequence",
      "refund_id as refundId",
      "issued_at as issuedAt",
      "content",
    ]);
}

function issuedOf(row: Omit<IssuedReceipt, "content"> & { content: string }): IssuedReceipt {
  return { ...row, content: z.decode(contentColumn, row.content) };
}

/** Reads the receipt of an order, if it is issued, and its credit notes. */
export async function findIssued(db: Queries, orderId: string): Promise<IssuedReceipt[]> {
  const rows = await selectIssued(db).where("order_id", "=", orderId).orderBy("sequence").execute();
  return rows.map(issuedOf);
}

/** Few enough that other requests hardly wait. */
const MAX_RECEIPTS_PER_BATCH = 100;

/** Reads the receipts and credit notes that were issued in a period in batches, by time. */
export function issuedIn(db: Queries, { from, before }: Period): AsyncGenerator<IssuedReceipt[]> {
  const first = { issuedAt: from, orderId: "", sequence: 0 };
  return readInBatches<IssuedReceipt>(MAX_RECEIPTS_PER_BATCH, async (last) => {
    const { issuedAt, orderId, sequence } = last ?? first;
    const rows = await selectIssued(db)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple("issued_at", "order_id", "sequence"), ">", tuple(issuedAt, orderId, sequence)),
      )
      .where("issued_at", "<", before)
      .orderBy("issued_at")
      .orderBy("order_id")
      .orderBy("sequence")
      .limit(MAX_RECEIPTS_PER_BATCH)
      .execute();
    return rows.map(issuedOf);
  });
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

/** What an order sold. */
export type SoldOrder = Pick<Order, "id" | "items" | "total_price">;

/** Addresses are not read, so that an invalid one blocks no payment. */
export async function findSoldOrder(db: Queries, id: string): Promise<SoldOrder> {
  const { total_price } = await db
    .selectFrom("orders")
    .select("total as total_price")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const items = await db
    .selectFrom("order_lines")
    .select(["item_id as id", "name", "price", "quantity"])
    .where("order_id", "=", id)
    .orderBy("position")
    .execute();
  return { id, items, total_price };
}

export async function wasEverPaid(db: Queries, orderId: string): Promise<boolean> {
  const row = await db
    .selectFrom("orders")
    .select("id")
    .where("id", "=", orderId)
    .where("paid_at", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The number of the credit note for a refund; `undefined` if it has none. */
export async function findCreditNoteNumber(
  db: Queries,
  { id, number }: Pick<Order, "id" | "number">,
  refundId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("issued_receipts")
    .select("sequence")
    .where("order_id", "=", id)
    .where("refund_id", "=", refundId)
    .executeTakeFirst();
  return row && creditNoteNumber(number, row.sequence);
}

/** The VAT rates of items that have one of their own, in basis points, by item id. */
export type FindVatRates = (
  db: Queries,
  itemIds: readonly string[],
) => Promise<ReadonlyMap<string, VatRate>>;
