import type { Clock } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import type { Announce, Announcement } from "../outbox/outbox.ts";
import { owedByLoan } from "./ledger.ts";
import { findBooks } from "./ledger-repository.ts";
import type { NotUnderstood } from "./loan.ts";
import { type Mismatch, NO_ORDER, type OrderMismatch, refundOwed } from "./mismatch.ts";
import { idOfMismatch, type MismatchKey } from "./mismatch-id.ts";
import { recordMismatch } from "./mismatch-repository.ts";

/** Called for each mismatch once it is stored. */
export type OnMismatch = (contractId: string, orderId: string, mismatch: Mismatch) => void;

interface Dependencies {
  readonly now: Clock;
  readonly announce: Announce;
  readonly onMismatch: OnMismatch;
}

/**
 * Records a mismatch, and announces it if it is new or has changed. `withoutMail`: the merchant
 * gets no letter about it.
 */
export type RecordMismatch = (
  unit: UnitOfWork,
  contractId: string,
  mismatch: OrderMismatch,
  options?: { readonly withoutMail: boolean },
) => Promise<void>;

/** Creates {@link RecordMismatch}. */
export function createRecordMismatch({ now, announce, onMismatch }: Dependencies): RecordMismatch {
  return async (
    unit,
    contractId,
    { orderId, ...mismatch },
    { withoutMail } = { withoutMail: false },
  ) => {
    const stored = await recordMismatch(unit, { contractId, orderId, seenAt: now() }, mismatch);
    if (stored === undefined) return;
    const { kind } = mismatch;
    const told = { ...stored, ...(withoutMail ? { without_mail: true } : {}) };
    await announce(unit, [
      mismatchAnnouncement("mismatch.opened", { contractId, orderId, kind }, told),
    ]);
    unit.afterCommit(() => onMismatch(contractId, orderId, mismatch));
  };
}

/** What others are told of a mismatch. Its subject is its order, or its loan if it has no order. */
export function mismatchAnnouncement(
  type: "mismatch.opened" | "mismatch.resolved",
  key: MismatchKey,
  further: Announcement["data"],
): Announcement {
  const { contractId: contract_id, orderId, kind } = key;
  const data = { mismatch_id: idOfMismatch(key), contract_id, kind, ...further };
  return { type, subject: orderId === NO_ORDER ? contract_id : orderId, data };
}

/**
 * Records the refunds that are owed for cancelled orders, inside the transaction that cancels them.
 */
export type RecordRefundsOwed = (unit: UnitOfWork, orderIds: readonly string[]) => Promise<void>;

/**
 * Records one mismatch for each loan of whose money something is owed; an extension brought none.
 * What staff have given back or explained already, for example as a second payment, is not owed.
 */
export function createRecordRefundsOwed(dependencies: Dependencies): RecordRefundsOwed {
  const record = createRecordMismatch(dependencies);
  return async (unit, orderIds) => {
    for (const orderId of orderIds) {
      const books = await findBooks(unit.db, orderId);
      if (books === undefined) continue;
      const owedBy = owedByLoan(books);
      for (const { id: contractId, standing, cents, extends: extended } of books.loans) {
        if (standing !== "paid" || extended !== undefined) continue;
        const owed = owedBy.get(contractId) ?? 0;
        if (owed > 0) await record(unit, contractId, { ...refundOwed(owed, cents), orderId });
      }
    }
  };
}

const LONGEST_ID = 100;

/**
 * Creates the function that records entries that the adapter does not understand, each once, for
 * the merchant.
 */
export function createRecordNotUnderstood({
  database,
  ...dependencies
}: Dependencies & { readonly database: Database }): (
  entries: readonly NotUnderstood[],
) => Promise<void> {
  const record = createRecordMismatch(dependencies);
  return (entries) =>
    database.inTransaction(async (unit) => {
      for (const { id, shape } of entries) {
        const contractId = (id ?? `without an id (${shape})`).slice(0, LONGEST_ID);
        const detail = `The provider tells it in a form that is not understood: ${shape}.`;
        await record(unit, contractId, { kind: "not-understood", detail, orderId: NO_ORDER });
      }
    });
}
