import type { Clock } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import type { NotUnderstood } from "./loan.ts";
import { loansOf } from "./loan-repository.ts";
import { type Mismatch, NO_ORDER, refundOwed } from "./mismatch.ts";
import { recordMismatch } from "./mismatch-repository.ts";

/** Called for each mismatch once it is stored. */
export type OnMismatch = (contractId: string, orderId: string, mismatch: Mismatch) => void;

interface Dependencies {
  readonly now: Clock;
  readonly onMismatch: OnMismatch;
}

/** Records the refunds that are owed for cancelled orders, inside the transaction that cancels them. */
export type RecordRefundsOwed = (unit: UnitOfWork, orderIds: readonly string[]) => Promise<void>;

/** Records one mismatch for each loan that brought money; an extension brought none. */
export function createRecordRefundsOwed({ now, onMismatch }: Dependencies): RecordRefundsOwed {
  return async (unit, orderIds) => {
    for (const orderId of orderIds) {
      for (const { id: contractId, standing, cents, extends: extended } of await loansOf(unit.db, orderId)) {
        if (standing !== "paid" || extended !== undefined) continue;
        const mismatch = refundOwed(cents);
        if (await recordMismatch(unit, { contractId, orderId, seenAt: now() }, mismatch)) {
          unit.afterCommit(() => onMismatch(contractId, orderId, mismatch));
        }
      }
    }
  };
}

const LONGEST_ID = 100;

/** Creates the function that records entries that the adapter does not understand, each once, for the merchant. */
export function createRecordNotUnderstood({
  database,
  now,
  onMismatch,
}: Dependencies & { readonly database: Database }): (entries: readonly NotUnderstood[]) => Promise<void> {
  return (entries) =>
    database.inTransaction(async (unit) => {
      for (const { id, shape } of entries) {
        const contractId = (id ?? `without an id (${shape})`).slice(0, LONGEST_ID);
        const detail = `The provider tells it in a form that is not understood: ${shape}.`;
        const mismatch: Mismatch = { kind: "not-understood", detail };
        if (await recordMismatch(unit, { contractId, orderId: NO_ORDER, seenAt: now() }, mismatch)) {
          unit.afterCommit(() => onMismatch(contractId, NO_ORDER, mismatch));
        }
      }
    });
}
