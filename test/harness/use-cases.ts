import { randomUUID } from "node:crypto";
import { createInProcessBus } from "../../apps/server/src/bus/in-process.ts";
import { createStock } from "../../apps/server/src/catalogue/stock.ts";
import type { Clock } from "../../apps/server/src/clock.ts";
import type { Database } from "../../apps/server/src/db/database.ts";
import { createAmendOrder } from "../../apps/server/src/orders/amend-order.ts";
import { createChangeStatuses } from "../../apps/server/src/orders/change-status.ts";
import { createNoteAttemptOver } from "../../apps/server/src/orders/note-attempt-over.ts";
import { findState } from "../../apps/server/src/orders/order-repository.ts";
import { createPlaceOrder } from "../../apps/server/src/orders/place-order.ts";
import type { Announcement } from "../../apps/server/src/outbox/outbox.ts";
import type { Loan } from "../../apps/server/src/payments/loan.ts";
import type { LoanProvider } from "../../apps/server/src/payments/loan-provider.ts";
import { createCheckLoan } from "../../apps/server/src/payments/loans/check-loan.ts";
import { createMoveOrder } from "../../apps/server/src/payments/move-order.ts";
import { paymentTimes } from "../../apps/server/src/payments/payments.ts";
import { createRecordRefundsDue } from "../../apps/server/src/payments/record.ts";
import { createRecordRefund } from "../../apps/server/src/payments/record-refund.ts";
import { createResolveIssue } from "../../apps/server/src/payments/resolve-issue.ts";
import { createSettle } from "../../apps/server/src/payments/settlement.ts";
import { noAnnouncements } from "./builders.ts";

type Dependencies = Parameters<typeof createSettle>[0];

/**
 * The functions that move and settle orders on a database, without subscribers and with a fixed
 * clock. By default the provider knows no earlier loan that it is asked about.
 */
export function settlementOn(
  database: Database,
  {
    askAgain = async () => ({ kind: "absent" }),
    onIssue = () => {},
    announce = noAnnouncements,
  }: Partial<Pick<Dependencies, "askAgain" | "onIssue" | "announce">> = {},
) {
  const bus = createInProcessBus();
  const now = () => 5;
  const { giveBack } = createStock({ bus, announce });
  const changeStatuses = createChangeStatuses({
    bus,
    announce,
    giveBack,
    now,
    onChanged: () => {},
  });
  const recordRefundsDue = createRecordRefundsDue({ now, announce, onIssue });
  const settle = createSettle({
    database,
    now,
    changeStatuses,
    noteAttemptOver: createNoteAttemptOver({ bus, now, announce }),
    askAgain,
    announce,
    onIssue,
  });
  return { changeStatuses, settle, recordRefundsDue };
}

/**
 * The functions that place, move and settle orders on a database, without subscribers and with a
 * fixed clock.
 */
export function useCasesOn(database: Database) {
  const placeOrder = createPlaceOrder({
    database,
    announce: noAnnouncements,
    items: createStock({ bus: createInProcessBus(), announce: noAnnouncements }),
    now: () => 5,
    newId: randomUUID,
  });
  return { ...settlementOn(database), placeOrder };
}

/** The check of single loans of a provider on a database, by the database's clock. */
export function checkLoanOn(database: Database, provider: LoanProvider) {
  return createCheckLoan({
    database,
    provider,
    settle: settlementOn(database).settle,
    statusOf: async (id) => (await findState(database.db, id))?.status,
    leaseNow: () => database.now(),
    times: paymentTimes,
  });
}

/** Who makes the changes of {@link moneyOn}. */
export const merchantAda = { kind: "merchant", name: "Ada" } as const;

/** What staff and provider do about money, on one process's database. */
export function moneyOn(database: Database, told: Announcement[] = [], now: Clock = () => 5) {
  const announce = async (_: unknown, some: readonly Announcement[]) => void told.push(...some);
  const amendOrder = createAmendOrder({ bus: createInProcessBus(), now });
  const settlement = settlementOn(database, { announce });
  const dependencies = { database, amendOrder, announce, now, newId: randomUUID };
  const refund = createRecordRefund(dependencies);
  const resolve = createResolveIssue({ ...dependencies, ...settlement });
  return {
    settle: settlement.settle,
    move: createMoveOrder({ database, ...settlement }),
    refund: (orderId: string, cents: number, idempotencyKey?: string, expectedRefunded?: number) =>
      refund({
        ...{ orderId, cents, method: "bank transfer", by: merchantAda },
        ...{ idempotencyKey, expectedRefunded },
      }),
    resolve: (
      loan: Loan,
      kind: string,
      resolution: "refunded" | "accepted" | "dismissed",
      orderId = "",
    ) =>
      resolve({
        loanId: loan.id,
        orderId: orderId === "" ? (loan.orderId ?? "") : orderId,
        kind,
        resolution,
        note: "seen to",
        by: merchantAda,
      }),
  };
}
