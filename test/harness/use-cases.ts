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
import type { Announce } from "../../apps/server/src/outbox/outbox.ts";
import { createCancelOrder } from "../../apps/server/src/payments/cancelling/cancel-order.ts";
import { createAskAboutLoans } from "../../apps/server/src/payments/cancelling/known-loans.ts";
import {
  createIssueRecords,
  type OnIssue,
} from "../../apps/server/src/payments/issues/issue-records.ts";
import {
  createReconcile,
  createReconcileIssues,
} from "../../apps/server/src/payments/issues/reconcile.ts";
import { createAppendEntries } from "../../apps/server/src/payments/journal/journal-repository.ts";
import type { LoanProvider } from "../../apps/server/src/payments/loan-provider.ts";
import { createCheckLoan } from "../../apps/server/src/payments/loans/check-loan.ts";
import { paymentTimes } from "../../apps/server/src/payments/payments.ts";
import { createSettle } from "../../apps/server/src/payments/settlement.ts";
import { noAnnouncements } from "./builders.ts";

interface Options {
  readonly announce?: Announce;
  readonly onIssue?: OnIssue;
  readonly now?: Clock;
}

/** What moves orders and stores money, without subscribers and by default with a fixed clock. */
export function moneyRecordsOn({
  announce = noAnnouncements,
  onIssue = () => {},
  now = () => 5,
}: Options = {}) {
  const bus = createInProcessBus();
  const { giveBack } = createStock({ bus, announce });
  const changeStatuses = createChangeStatuses({
    bus,
    announce,
    giveBack,
    now,
    onChanged: () => {},
  });
  const amendOrder = createAmendOrder({ bus, now });
  const records = createIssueRecords({ now, announce, amendOrder, onIssue });
  const appendEntries = createAppendEntries({ now, newId: randomUUID });
  const reconciling = { appendEntries, records, changeStatuses };
  return {
    ...{ announce, now, changeStatuses, amendOrder, records, appendEntries },
    noteAttemptOver: createNoteAttemptOver({ bus, now, announce }),
    reconcile: createReconcile(reconciling),
    reconcileIssues: createReconcileIssues(reconciling),
  };
}

/** The functions that move and settle orders on a database. */
export function settlementOn(database: Database, options: Options = {}) {
  const records = moneyRecordsOn(options);
  const settle = createSettle({
    ...records,
    database,
    leaseNow: () => database.now(),
    onFutureTime: () => {},
  });
  return { ...records, settle };
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

/** The cancellation of orders on a database that asks this provider, by the database's clock. */
export function cancelOrderOn(database: Database, provider: LoanProvider, options: Options = {}) {
  const check = checkLoanOn(database, provider);
  return createCancelOrder({
    ...moneyRecordsOn(options),
    database,
    askAboutLoans: createAskAboutLoans({ db: database.db, check }),
  });
}
