import { type Cents, creditNoteNumber, receiptNumber, type VatRate } from "@keepsats/domain";
import type { Receipt, Seller } from "@keepsats/protocol";
import type { Queries, UnitOfWork } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import { dayAt } from "../../../platform/scheduling/calendar-day.ts";
import {
  type ChangeStatuses,
  findOrder,
  findRefundLinesOfOrder,
  listEvents,
  type Order,
} from "../../orders/index.ts";
import { findEntries } from "../journal/journal-repository.ts";
import {
  type FindVatRates,
  findIssued,
  findSoldOrder,
  type IssuedReceipt,
  insertIssued,
  type SoldOrder,
  wasEverPaid,
} from "./receipt-repository.ts";
import {
  grossOf,
  missingCreditNotes,
  type ReceiptFacts,
  receiptContent,
  waivedIn,
} from "./rules.ts";

/** What new receipts state, from the shop settings. */
export interface ReceiptSettings {
  readonly seller: Seller;
  /** The rate of items without one of their own; `null` for none. */
  readonly vatRate: VatRate | null;
  /** The time zone of the days. */
  readonly timeZone: string;
}

export type Receipts = ReturnType<typeof createReceipts>;

/**
 * Receipts of paid orders, and credit notes for them. They are issued with the payment and with the
 * refund. What a server of version 1.0 has recorded is issued when it is first read.
 */
export function createReceipts({
  database,
  now,
  receiptSettings,
  findVatRates,
}: Pick<Platform, "database" | "now"> & {
  readonly receiptSettings: () => ReceiptSettings;
  readonly findVatRates: FindVatRates;
}) {
  async function issueReceipt(
    unit: UnitOfWork,
    { id: orderId, items, total_price: price }: SoldOrder,
    waived: Cents,
  ): Promise<IssuedReceipt> {
    const rates = await findVatRates(
      unit.db,
      items.map(({ id }) => id),
    );
    const { seller, vatRate, timeZone } = receiptSettings();
    const issuedAt = now();
    const issued_on = dayAt(issuedAt, timeZone).name;
    const lines = items.map((line) => ({
      rate: rates.get(line.id) ?? vatRate,
      gross: grossOf(line),
    }));
    const content = receiptContent({ issued_on, seller, price, lines, waived });
    const receipt = { orderId, sequence: 0, refundId: null, issuedAt, content };
    await insertIssued(unit, [receipt]);
    return receipt;
  }

  async function issueCreditNotes(
    unit: UnitOfWork,
    orderId: string,
    facts: ReceiptFacts,
  ): Promise<IssuedReceipt[]> {
    const { seller, timeZone } = receiptSettings();
    const issuedAt = now();
    const issued_on = dayAt(issuedAt, timeZone).name;
    const creditNotes = missingCreditNotes(facts).map(({ refundId, ...credit }, index) => ({
      orderId,
      sequence: facts.issued.length + index,
      refundId,
      issuedAt,
      content: { ...credit, issued_on, seller, reduction: 0, rates: [] },
    }));
    await insertIssued(unit, creditNotes);
    return creditNotes;
  }

  /**
   * Issues what is missing: the receipt of a paid order, and credit notes. The caller has locked the
   * order.
   *
   * @param current the refund that this transaction records
   * @returns all that is issued, and what it depends on; `undefined` if the order was never paid
   */
  async function issueMissing(
    unit: UnitOfWork,
    orderId: string,
    current?: string,
  ): Promise<ReceiptFacts | undefined> {
    const order = await findOrder(unit.db, orderId);
    const facts = order && (await readFacts(unit.db, order));
    if (facts === undefined) return undefined;
    const issued =
      facts.issued.length === 0
        ? [await issueReceipt(unit, facts.order, waivedIn(facts.entries))]
        : facts.issued;
    const creditNotes = await issueCreditNotes(unit, orderId, { ...facts, issued, current });
    return { ...facts, issued: [...issued, ...creditNotes] };
  }

  return {
    issueMissing,
    /** Changes statuses, and issues the receipts of the orders that become paid. */
    issuing(changeStatuses: ChangeStatuses): ChangeStatuses {
      return async (unit, changes) => {
        const outcomes = await changeStatuses(unit, changes);
        for (const [index, { orderId, to, by }] of changes.entries()) {
          if (to !== "PaymentProcessed" || outcomes[index]?.kind !== "changed") continue;
          const order = await findSoldOrder(unit.db, orderId);
          // Only staff waive a part of the price.
          const entries =
            by.kind === "staff" ? await findEntries(unit.db, { orderIds: [orderId] }) : [];
          await issueReceipt(unit, order, waivedIn(entries));
        }
        return outcomes;
      };
    },
    /** The receipt of an order, and its credit notes; `undefined` if the order does not exist. */
    async read(orderId: string): Promise<Receipt[] | undefined> {
      const { db } = database;
      const order = await findOrder(db, orderId);
      if (order === undefined) return undefined;
      let facts = await readFacts(db, order);
      if (facts !== undefined && !isComplete(facts))
        facts = await database.inTransaction(async (unit) => {
          await unit.lock(orderId);
          return issueMissing(unit, orderId);
        });
      if (facts === undefined) return [];
      return facts.issued.map((one) => answerOf(one, order, facts));
    },
  };
}

function isComplete(facts: ReceiptFacts): boolean {
  return facts.issued.length > 0 && missingCreditNotes(facts).length === 0;
}

/** @returns `undefined` if the order was never paid */
async function readFacts(db: Queries, order: Order): Promise<ReceiptFacts | undefined> {
  const { id: orderId, status } = order;
  if (!(await wasEverPaid(db, orderId))) return undefined;
  const events = status === "Cancelled" ? await listEvents(db, orderId) : [];
  const cancelled = events.find(
    ({ kind, to_status }) => kind === "moved" && to_status === "Cancelled",
  );
  return {
    status,
    cancelledAt: cancelled?.at,
    entries: await findEntries(db, { orderIds: [orderId] }),
    order,
    refundLines: await findRefundLinesOfOrder(db, orderId),
    issued: await findIssued(db, orderId),
  };
}

/** Lines and buyer are read from the order: they do not change until it is erased. */
function answerOf(
  { sequence, refundId, issuedAt, content }: IssuedReceipt,
  order: Order,
  { issued, refundLines }: ReceiptFacts,
): Receipt {
  const rates = issued[0]?.content.rates ?? [];
  const sold = order.items.map((line, index) => ({ ...line, vat_rate: rates[index] ?? null }));
  const refunded = refundLines.flatMap(({ refund_id, item_id, quantity }) => {
    const line = refund_id === refundId ? sold.find(({ id }) => id === item_id) : undefined;
    return line === undefined ? [] : [{ ...line, quantity }];
  });
  const { rates: _rates, vat, ...stated } = content;
  const isCredit = sequence > 0;
  return {
    kind: isCredit ? "credit-note" : "receipt",
    number: isCredit ? creditNoteNumber(order.number, sequence) : receiptNumber(order.number),
    order_number: order.number,
    issued_at: issuedAt,
    ...stated,
    customer_name: order.customer_name,
    billing_address: order.billing_address,
    lines: isCredit ? refunded : sold,
    vat: vat.flatMap(({ rate, ...sums }) => (rate === null ? [] : [{ rate, ...sums }])),
  };
}
