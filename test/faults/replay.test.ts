import { canMove, isOrderStatus, type OrderStatus } from "@keepsats/domain";
import { type LoanState, loanStates } from "@keepsats/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChangeStatuses } from "../../apps/server/src/modules/orders/changing/change-status.ts";
import { listEvents } from "../../apps/server/src/modules/orders/order-repository.ts";
import { insertOrders } from "../../apps/server/src/modules/orders/placing/place-order.ts";
import { readOrderAccount } from "../../apps/server/src/modules/payments/journal/journal-repository.ts";
import type { Settle } from "../../apps/server/src/modules/payments/loans/settlement.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { aLoan, aStoredOrder } from "../harness/builders.ts";
import { databaseKinds, type TestDatabase } from "../harness/databases.ts";
import { testLength } from "../harness/test-length.ts";
import { settlementOn } from "../harness/use-cases.ts";

/** Each state of two loans, and the moves of staff. */
const happenings = [
  "a active",
  "a paid-out",
  "a ended",
  "a unknown",
  "b active",
  "b paid-out",
  "cancel",
  "ship",
];
const LENGTH = testLength(3, 4);

function isLoanState(text: string | undefined): text is LoanState {
  return loanStates.some((state) => state === text);
}

function sequences(length: number): string[][] {
  if (length === 0) return [[]];
  return sequences(length - 1).flatMap((before) => happenings.map((one) => [...before, one]));
}

describe.each(databaseKinds)("on $name", ({ newShopDatabase }) => {
  let testDatabase: TestDatabase;
  let database: Database;
  let settle: Settle;
  let changeStatuses: ChangeStatuses;
  beforeAll(async () => {
    testDatabase = await newShopDatabase();
    database = await testDatabase.open();
    ({ settle, changeStatuses } = settlementOn(database));
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.remove();
  });

  async function happen(orderId: string, what: string): Promise<void> {
    const [loan, state] = what.split(" ");
    if (!isLoanState(state)) {
      const to: OrderStatus = what === "cancel" ? "Cancelled" : "Shipped";
      await database.inTransaction((unit) =>
        changeStatuses(unit, [{ orderId, to, by: { kind: "staff", name: "Ada" } }]),
      );
      return;
    }
    await settle(aLoan({ id: `${orderId}-${loan}`, orderId, state }), orderId);
  }

  test(`after any sequence of up to ${LENGTH} events paid orders stay paid, final ones final, and staff see every payment`, async () => {
    for (const sequence of sequences(LENGTH)) {
      const order = aStoredOrder();
      await database.inTransaction((unit) =>
        insertOrders(unit, [{ order, idempotency: undefined }]),
      );
      for (const what of sequence) await happen(order.id, what);

      const events = (await listEvents(database.db, order.id)).filter(
        ({ kind }) => kind !== "attempt-failed",
      );
      const story = events.map(({ to_status }) => to_status);
      const detail = `${sequence.join(", ")} → ${story.join(" ")}`;
      for (const { from_status, to_status } of events.slice(1)) {
        expect(
          from_status !== null &&
            isOrderStatus(from_status) &&
            isOrderStatus(to_status) &&
            canMove(from_status, to_status),
          detail,
        ).toBe(true);
      }
      const paidAt = story.indexOf("PaymentProcessed");
      if (paidAt >= 0) {
        expect(
          story.slice(paidAt + 1).every((status) => status === "Shipped" || status === "Cancelled"),
          detail,
        ).toBe(true);
      }
      const payers = new Set(
        sequence
          .map((what) => what.split(" "))
          .filter(([, state]) => state === "paid-out")
          .map(([loan]) => loan),
      );
      const account = await readOrderAccount(database.db, order.id);
      const received = (account?.entries ?? []).filter(({ kind }) => kind === "received");
      expect(new Set(received.map(({ loanId }) => loanId?.slice(-1))), detail).toEqual(payers);
    }
  });
});
