import type { FastifyInstance } from "fastify";
import { Counter } from "prom-client";
import type { Config } from "../../config/config.ts";
import { batchReads } from "../../platform/database/batching.ts";
import { csrfProtection } from "../../platform/http/csrf.ts";
import type { Platform } from "../../platform/platform.ts";
import type { CurrentTimeZone } from "../../platform/scheduling/calendar-day.ts";
import { elapsed, HOUR, MINUTE } from "../../platform/scheduling/clock.ts";
import { findStates, type Orders, type PaymentHooks, requireOrderKey } from "../orders/index.ts";
import { createExpireOrders } from "./expire-orders.ts";
import { createAskAboutLoans, createCancelOrder } from "./hooks/cancel-order.ts";
import { createMoveOrder } from "./hooks/move-order.ts";
import { createDecideIssue } from "./issues/decide-issue.ts";
import { createIssueLog } from "./issues/issue-log.ts";
import { createIssueWriter } from "./issues/issue-writer.ts";
import { createRecordUnrecognized } from "./issues/record-unrecognized.ts";
import { issueRoutes } from "./issues/routes.ts";
import { booksRoutes } from "./journal/books.ts";
import { createAppendEntries } from "./journal/journal-repository.ts";
import { refundedFor } from "./journal/refunds-due.ts";
import { createCallBudget, createSharedCallBudget } from "./loans/call-budget.ts";
import { checkTimes, createCheckLoan } from "./loans/check-loan.ts";
import { createReadLenderId, lenderAccountRoute } from "./loans/lender-account.ts";
import { type ConnectProvider, createLoanProvider } from "./loans/loan-provider.ts";
import { findDueLoans } from "./loans/loan-queue.ts";
import { createLoanWorker, workerTimes } from "./loans/loan-worker.ts";
import { endPresumptions } from "./loans/presumed-extensions.ts";
import { createProviderHealth } from "./loans/provider-health.ts";
import { createSettle } from "./loans/settlement.ts";
import { sweepInTurn, sweepTimes } from "./loans/sweep.ts";
import { addGauges } from "./metrics.ts";
import { describeMoney } from "./money-answers.ts";
import type { FindVatRates } from "./receipts/receipt-repository.ts";
import { createReceipts, type ReceiptSettings } from "./receipts/receipts.ts";
import { customerReceiptsRoute, receiptsRoute } from "./receipts/routes.ts";
import { vatRoutes } from "./receipts/vat-report.ts";
import { createReconcile } from "./reconciliation/reconcile.ts";
import { reconciliationRoutes } from "./reconciliation/routes.ts";
import { createRefunds } from "./refunds/refunds.ts";
import { refundRoutes } from "./refunds/routes.ts";

export { countIssues, findIssue, type StoredIssue } from "./issues/issue-repository.ts";
export { accountKeyOf, readAccount, readOrderAccount } from "./journal/journal-repository.ts";
export { readRefundsDue, refundedFor } from "./journal/refunds-due.ts";
export type { CheckResult, Presenter } from "./loans/check-loan.ts";
export type { ConnectProvider } from "./loans/loan-provider.ts";
export { findPayingLoans } from "./loans/loan-repository.ts";
export type { LoanWorker } from "./loans/loan-worker.ts";
export type { ProviderState } from "./loans/provider-health.ts";
export { readSweepState } from "./loans/sweep.ts";
export { findCreditNoteNumber } from "./receipts/receipt-repository.ts";
export { type LoanMoney, moneyByLoan, openLoansOf } from "./rules/index.ts";

/** When loans are checked and swept, orders expire, and calls time out, in milliseconds. */
export const paymentTimes = {
  ...checkTimes,
  ...workerTimes,
  ...sweepTimes,
  expiry: { checkInterval: 10_000, runInterval: MINUTE, taskDelay: 20 },
  keepReconciliation: MINUTE,
  providerTimeout: 4_000,
  listStallTimeout: 120_000,
  listTimeout: 600_000,
};
export type PaymentTimes = typeof paymentTimes;

/** The maximum number of loans that a check reads: so many bound ones, and so many others. */
const MAX_DUE_LOANS = 5;

interface Dependencies {
  readonly config: Config;
  readonly orders: Orders;
  readonly connectProvider: ConnectProvider;
  readonly receiptSettings: () => ReceiptSettings;
  readonly findVatRates: FindVatRates;
  readonly times: PaymentTimes;
  readonly timeZone: CurrentTimeZone;
  /** Aborted when the server abandons the calls in progress. */
  readonly stopping: AbortSignal;
}

/**
 * Loans of the provider, the journal of money, payment issues, refunds, receipts and the expiry of
 * orders.
 */
export function createPayments(platform: Platform, dependencies: Dependencies) {
  const { database, bus, now, newId, onError, metrics } = platform;
  const { config, orders, connectProvider, receiptSettings, findVatRates, times, timeZone } =
    dependencies;
  const { amendOrder } = orders;
  const { emitEvents } = platform.outbox;
  const { db } = database;

  const receipts = createReceipts({ database, now, receiptSettings, findVatRates });
  const changeStatuses = receipts.issuing(orders.changeStatuses);
  const logIssue = createIssueLog(platform);
  const appendEntries = createAppendEntries(platform);
  const issues = createIssueWriter({
    now,
    emitEvents,
    amendOrder,
    changeStatuses,
    appendEntries,
    overpaymentLimit: config.overpaymentLimit,
    onIssue(issue) {
      logIssue(issue);
      // A payment issue does not always change its order.
      bus.publish({ topic: "payment_issues" });
    },
  });
  const writers = { database, now, changeStatuses, appendEntries, issues };

  const health = createProviderHealth(platform);
  const recordUnrecognized = createRecordUnrecognized({ database, metrics, issues });
  const api = connectProvider({
    apiUrl: config.loanApiUrl,
    apiKey: config.loanApiKey,
    timeouts: times,
    onTime: health.providerTime,
  });
  const provider = createLoanProvider(api, {
    timeouts: times,
    stopping: dependencies.stopping,
    budget:
      config.database.kind === "postgres"
        ? createSharedCallBudget(database, database.now)
        : createCallBudget(elapsed),
    onAnswer: health.answered,
    onUnrecognized: (entry) => void recordUnrecognized([entry], 1).catch(onError),
    onError,
  });
  const settle = createSettle({ ...writers, recordFailedAttempt: orders.recordFailedAttempt });
  const stateOf = batchReads((ids: readonly string[]) => findStates(db, ids));
  const check = createCheckLoan({
    database,
    provider,
    settle,
    times,
    statusOf: async (orderId) => (await stateOf(orderId))?.status,
  });
  const loanWorker = createLoanWorker({
    check,
    times,
    onError,
    findDue: () => findDueLoans(db, database.now(), MAX_DUE_LOANS),
    sweep: () =>
      sweepInTurn({
        database,
        provider,
        settle,
        recordUnrecognized,
        times,
        onError,
        onSweepComplete: (began) => endPresumptions(began, { ...writers, onError }),
      }),
  });

  const cancellation = { ...writers, askAboutLoans: createAskAboutLoans({ db, check }) };
  const cancelOrder = createCancelOrder(cancellation);
  const moveOrder = createMoveOrder(cancellation);
  const hooks: PaymentHooks = { cancelOrder, moveOrder, describeMoney, refundedFor };
  const expired = new Counter({
    name: "keepsats_orders_expired_total",
    help: "Orders that were cancelled because they were not paid in time",
    registers: [metrics.registry],
  });
  const expireOrders = createExpireOrders({
    database,
    cancelOrder,
    times: times.expiry,
    clockAhead: health.clockAhead,
    onError,
    term: config.orderExpiresHours * HOUR,
    onExpired: () => expired.inc(),
  });
  addGauges(platform, health);
  const readLenderId = createReadLenderId(provider);
  const reconcile = createReconcile({ db, provider, now, times });
  return {
    hooks,
    providerState: health.state,
    clockAhead: health.clockAhead,
    watch: loanWorker.watch,
    customerRoutes(app: FastifyInstance) {
      lenderAccountRoute(app, readLenderId);
      const onRead = [csrfProtection(config.publicUrl), requireOrderKey(orders.checkKey)];
      customerReceiptsRoute(app, receipts, onRead);
    },
    adminRoutes(app: FastifyInstance) {
      const refunds = createRefunds({ ...writers, newId, orders, receipts });
      receiptsRoute(app, db, receipts);
      booksRoutes(app, db, timeZone);
      vatRoutes(app, db, timeZone);
      reconciliationRoutes(app, { db, reconcile, timeZone });
      refundRoutes(app, db, refunds);
      issueRoutes(app, { db, decideIssue: createDecideIssue(writers) });
    },
    workers: [loanWorker, expireOrders],
  };
}
