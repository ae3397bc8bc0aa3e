import { creditNoteNumber, receiptNumber, type VatRate } from "@keepsats/domain";
import type { Receipt, Seller } from "@keepsats/protocol";
import type { Database, Queries, UnitOfWork } from "../../../platform/database/database.ts";
import { dayAt } from "../../../platform/scheduling/calendar-day.ts";
import type { Clock } from "../../../platform/scheduling/clock.ts";
import {
  type ChangeStatuses,
  findOrder,
  findRefundLines,
  listEvents,
  type Order,
} from "../../orders/index.ts";
import { findEntries, readOrderAccount } from "../journal/journal-repository.ts";
import {
  type FindVatRates,
  findIssued,
  findSoldLines,
  type IssuedReceipt,
  insertIssued,
  wasPaid,
} from "./receipt-repository.ts";
import {
  type CreditFacts,
  missingCreditNotes,
  type RefundedPieces,
  receiptContent,
  waivedIn,
} from "./rules.ts";

/** What new receipts state, from the shop settings. */
export interface ReceiptTerms {
  readonly seller: Seller;
  /** The rate of items without one of their own; `null` for none. */
  readonly vatRate: VatRate | null;
  /** The time zone of the days. */
  readonly timeZone: string;
}

interface Dependencies {
  readonly database: Database;
  readonly now: Clock;
  readonly terms: () => ReceiptTerms;
  readonly findVatRates: FindVatRates;
}

export type Receipts = ReturnType<typeof createReceipts>;

/**
 * Receipts of paid orders, and credit notes for them. They are issued with the payment and with the
 * refund. What a server of version 1.0 has recorded is issued when it is first read.
 */
export function createReceipts({ database, now, terms, findVatRates }: Dependencies) {
  /** Issues the receipts of paid orders. @param accepted the orders whose loans staff accepted */
  async function issue(
    unit: UnitOfWork,
    orderIds: readonly string[],
    accepted: readonly string[],
  ): Promise<void> {
    const linesOf = await findSoldLines(unit.db, orderIds);
    const itemIds = new Set([...linesOf.values()].flat().map(({ itemId }) => itemId));
    const own = await findVatRates(unit.db, [...itemIds]);
    const entries = accepted.length === 0 ? [] : await findEntries(unit.db, { orderIds: accepted });
    const { seller, vatRate, timeZone } = terms();
    const issuedAt = now();
    const issued_on = dayAt(issuedAt, timeZone).name;
    await insertIssued(
      unit,
      orderIds.map((orderId) => {
        const lines = linesOf.get(orderId) ?? [];
        const rates = lines.map(({ itemId }) => own.get(itemId) ?? vatRate);
        const waived = waivedIn(entries.filter((entry) => entry.orderId === orderId));
        const content = receiptContent({ issued_on, seller, lines, rates, waived });
        return { orderId, sequence: 0, refundId: null, issuedAt, content };
      }),
    );
  }

  /**
   * Issues what is missing: the receipt of a paid order, and credit notes. The caller has locked the
   * order.
   *
   * @param current the refund that this transaction records
   */
  async function issueMissing(unit: UnitOfWork, orderId: string, current?: string): Promise<void> {
    if (!(await wasPaid(unit.db, orderId))) return;
    if ((await findIssued(unit.db, orderId)).length === 0) await issue(unit, [orderId], [orderId]);
    const facts = await creditFacts(unit.db, orderId);
    const { seller, timeZone } = terms();
    const issuedAt = now();
    const issued_on = dayAt(issuedAt, timeZone).name;
    await insertIssued(
      unit,
      missingCreditNotes({ ...facts, current }).map(({ refundId, ...credit }, index) => ({
        orderId,
        sequence: facts.issued.length + index,
        refundId,
        issuedAt,
        content: { ...credit, issued_on, seller, reduction: 0, rates: [] },
      })),
    );
  }

  return {
    issueMissing,
    /** Changes statuses, and issues the receipts of the orders that become paid. */
    issuing(changeStatuses: ChangeStatuses): ChangeStatuses {
      return async (unit, changes, locked) => {
        const outcomes = await changeStatuses(unit, changes, locked);
        const paid = changes.filter(
          ({ to }, index) => to === "PaymentProcessed" && outcomes[index]?.kind === "changed",
        );
        const accepted = paid.filter(({ by }) => by.kind === "staff");
        const idsOf = (some: typeof paid) => some.map(({ orderId }) => orderId);
        if (paid.length > 0) await issue(unit, idsOf(paid), idsOf(accepted));
        return outcomes;
      };
    },
    /** The receipt of an order, and its credit notes; `undefined` if the order does not exist. */
    async read(orderId: string): Promise<Receipt[] | undefined> {
      const { db } = database;
      if (!(await isComplete(db, orderId)))
        await database.inTransaction(async (unit) => {
          await unit.lock(orderId);
          await issueMissing(unit, orderId);
        });
      const order = await findOrder(db, orderId);
      if (order === undefined) return undefined;
      const issued = await findIssued(db, orderId);
      const refundLines = (await findRefundLines(db, [orderId])).get(orderId) ?? [];
      return issued.map((one) => answerOf(one, { order, issued, refundLines }));
    },
  };
}

async function isComplete(db: Queries, orderId: string): Promise<boolean> {
  if (!(await wasPaid(db, orderId))) return true;
  const facts = await creditFacts(db, orderId);
  return facts.issued.length > 0 && missingCreditNotes(facts).length === 0;
}

async function creditFacts(db: Queries, orderId: string): Promise<CreditFacts> {
  const account = await readOrderAccount(db, orderId);
  const { status = "" } = account?.order ?? {};
  const events = status === "Cancelled" ? await listEvents(db, orderId) : [];
  const cancelled = events.find(
    ({ kind, to_status }) => kind === "moved" && to_status === "Cancelled",
  );
  return {
    status,
    cancelledAt: cancelled?.at,
    entries: account?.entries ?? [],
    lines: (await findSoldLines(db, [orderId])).get(orderId) ?? [],
    refundLines: (await findRefundLines(db, [orderId])).get(orderId) ?? [],
    issued: await findIssued(db, orderId),
  };
}

interface AnswerContext {
  readonly order: Order;
  readonly issued: readonly IssuedReceipt[];
  readonly refundLines: readonly RefundedPieces[];
}

/** Lines and buyer are those of the order: they do not change until it is erased. */
function answerOf(
  { sequence, refundId, issuedAt, content }: IssuedReceipt,
  { order, issued, refundLines }: AnswerContext,
): Receipt {
  const rates = issued[0]?.content.rates ?? [];
  const sold = order.items.map((line, index) => ({ ...line, vat_rate: rates[index] ?? null }));
  const refunded = refundLines.flatMap(({ refund_id, item_id, quantity }) => {
    const line = refund_id === refundId ? sold.find(({ id }) => id === item_id) : undefined;
    return line === undefined ? [] : [{ ...line, quantity }];
  });
  const { issued_on, seller, total, reduction, vat, reason } = content;
  const isCredit = sequence > 0;
  return {
    kind: isCredit ? "credit-note" : "receipt",
    number: isCredit ? creditNoteNumber(order.number, sequence) : receiptNumber(order.number),
    order_number: order.number,
    issued_at: issuedAt,
    issued_on,
    seller,
    customer_name: order.customer_name,
    billing_address: order.billing_address,
    lines: isCredit ? refunded : sold,
    total,
    reduction,
    vat: vat.flatMap(({ rate, ...sums }) => (rate === null ? [] : [{ rate, ...sums }])),
    reason,
  };
}

/** The number of the credit note for a refund; `undefined` if it has none. */
export async function findCreditNoteNumber(
  db: Queries,
  { id, number }: Pick<Order, "id" | "number">,
  refundId: string,
): Promise<string | undefined> {
  const issued = await findIssued(db, id);
  const credit = issued.find((one) => one.refundId === refundId);
  return credit && creditNoteNumber(number, credit.sequence);
}
