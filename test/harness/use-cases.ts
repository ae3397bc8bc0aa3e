import { randomUUID } from "node:crypto";
import { createStock } from "../../apps/server/src/modules/catalogue/stock.ts";
import {
  createAmendOrder,
  createRecordFailedAttempt,
} from "../../apps/server/src/modules/orders/changing/amend-order.ts";
import { createChangeStatuses } from "../../apps/server/src/modules/orders/changing/change-status.ts";
import { findState } from "../../apps/server/src/modules/orders/order-repository.ts";
import { createPlaceOrder } from "../../apps/server/src/modules/orders/placing/place-order.ts";
import {
  createAskAboutLoans,
  createCancelOrder,
} from "../../apps/server/src/modules/payments/hooks/cancel-order.ts";
import { paymentTimes } from "../../apps/server/src/modules/payments/index.ts";
import { createIssueWriter } from "../../apps/server/src/modules/payments/issues/issue-writer.ts";
import { createAppendEntries } from "../../apps/server/src/modules/payments/journal/journal-repository.ts";
import { createCheckLoan } from "../../apps/server/src/modules/payments/loans/check-loan.ts";
import type { LoanProvider } from "../../apps/server/src/modules/payments/loans/loan-provider.ts";
import { createSettle } from "../../apps/server/src/modules/payments/loans/settlement.ts";
import type { NewIssue } from "../../apps/server/src/modules/payments/rules/index.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { createInProcessBus } from "../../apps/server/src/platform/events/bus.ts";
import type { EmitEvents } from "../../apps/server/src/platform/outbox/emit-events.ts";
import type { Clock } from "../../apps/server/src/platform/scheduling/clock.ts";
import { noEvents } from "./builders.ts";

interface Options {
  readonly emitEvents?: EmitEvents;
  readonly onIssue?: (issue: NewIssue) => void;
  readonly now?: Clock;
}

/** What moves orders and stores money, without subscribers and by default with a fixed clock. */
export function moneyRecordsOn({
  emitEvents = noEvents,
  onIssue = () => {},
  now = () => 5,
}: Options = {}) {
  const bus = createInProcessBus();
  const { restock } = createStock({ bus, emitEvents });
  const changeStatuses = createChangeStatuses({
    bus,
    emitEvents,
    restock,
    now,
    onChanged: () => {},
  });
  const amendOrder = createAmendOrder({ bus, now, emitEvents });
  const appendEntries = createAppendEntries({ now, newId: randomUUID });
  return {
    emitEvents,
    now,
    changeStatuses,
    amendOrder,
    appendEntries,
    recordFailedAttempt: createRecordFailedAttempt(amendOrder),
    issues: createIssueWriter({
      emitEvents,
      now,
      changeStatuses,
      amendOrder,
      appendEntries,
      onIssue,
    }),
  };
}

/** The functions that move and settle orders on a database. */
export function settlementOn(database: Database, options: Options = {}) {
  const records = moneyRecordsOn(options);
  return { ...records, settle: createSettle({ ...records, database }) };
}

/**
 * The functions that place, move and settle orders on a database, without subscribers and with a
 * fixed clock.
 */
export function useCasesOn(database: Database) {
  const bus = createInProcessBus();
  const placeOrder = createPlaceOrder({
    database,
    emitEvents: noEvents,
    stock: createStock({ bus, emitEvents: noEvents }),
    bus,
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
