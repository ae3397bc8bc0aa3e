import type { FastifyInstance } from "fastify";
import { Counter } from "prom-client";
import type { Config } from "../../config/config.ts";
import { batchReads } from "../../platform/database/batching.ts";
import type { JobTimes } from "../../platform/database/leased-batch-job.ts";
import { csrfProtection } from "../../platform/http/csrf.ts";
import type { Platform } from "../../platform/platform.ts";
import type { CurrentTimeZone } from "../../platform/scheduling/calendar-day.ts";
import { DAY, elapsed, HOUR, MINUTE } from "../../platform/scheduling/clock.ts";
import { findStates, type Orders, type PaymentHooks, requireOrderKey } from "../orders/index.ts";
import { createExpireOrders } from "./expiry/expire-orders.ts";
import { createAskAboutLoans } from "./hooks/ask-about-loans.ts";
import { createCancelOrder } from "./hooks/cancel-order.ts";
import { createMoveOrder } from "./hooks/move-order.ts";
import { createIssueLog } from "./issues/issue-log.ts";
import { createIssueWriter } from "./issues/issue-writer.ts";
import { recordUnrecognized } from "./issues/record-unrecognized.ts";
import { createReopenIssue, createResolveIssue } from "./issues/resolve-issue.ts";
import { issueRoutes } from "./issues/routes.ts";
import { booksRoutes } from "./journal/books-routes.ts";
import { createAppendEntries } from "./journal/journal-repository.ts";
import { refundedFor } from "./journal/refunds-due.ts";
import { createCallBudget, createSharedCallBudget } from "./loans/call-budget.ts";
import { type CheckTimes, createCheckLoan } from "./loans/check-loan.ts";
import { createReadLenderId, lenderAccountRoute } from "./loans/lender-account.ts";
import { createLoanProvider } from "./loans/loan-provider.ts";
import type {
  ConnectProvider,
  ProviderTimeouts,
  UnrecognizedEntry,
} from "./loans/loan-provider-api.ts";
import { findDueLoans } from "./loans/loan-queue.ts";
import { createLoanWorker, type WorkerTimes } from "./loans/loan-worker.ts";
import { endPresumptions } from "./loans/presumed-extensions.ts";
import { createProviderHealth } from "./loans/provider-health.ts";
import { createSettle } from "./loans/settlement.ts";
import { type SweepTimes, sweepInTurn } from "./loans/sweep.ts";
import { addGauges } from "./metrics.ts";
import { describeMoney } from "./money-answers.ts";
import type { FindVatRates } from "./receipts/receipt-repository.ts";
import { createReceipts, type ReceiptSettings } from "./receipts/receipts.ts";
import { customerReceiptsRoute, receiptsRoute } from "./receipts/routes.ts";
import { vatRoutes } from "./receipts/vat-routes.ts";
import { createReconcile, type ReconcileTimes } from "./reconciliation/reconcile.ts";
import { reconciliationRoutes } from "./reconciliation/routes.ts";
import { createRefunds } from "./refunds/refunds.ts";
import { refundRoutes } from "./refunds/routes.ts";

export { countIssues, findIssue, type StoredIssue } from "./issues/issue-repository.ts";
export { accountKeyOf, readAccount, readOrderAccount } from "./journal/journal-repository.ts";
export { readRefundsDue, refundedFor } from "./journal/refunds-due.ts";
export type { CheckResult, Presenter } from "./loans/check-loan.ts";
export type { ConnectProvider, ProviderTimeouts } from "./loans/loan-provider-api.ts";
export { findPayingLoans } from "./loans/loan-repository.ts";
export type { LoanWorker } from "./loans/loan-worker.ts";
export type { ProviderState } from "./loans/provider-health.ts";
export { readSweepState } from "./loans/sweep.ts";
export { findCreditNoteNumber } from "./receipts/receipt-repository.ts";
export { type LoanMoney, moneyByLoan, openLoansOf } from "./rules.ts";

/** When loans are checked and swept, and orders expire, in milliseconds. */
export interface PaymentTimes extends CheckTimes, WorkerTimes, SweepTimes, ReconcileTimes {
  readonly expiry: JobTimes;
}

export const paymentTimes: PaymentTimes = {
  subscribedInterval: 2_000,
  absentBackoff: 5_000,
  maxAbsentBackoff: MINUTE,
  minUnsubscribedInterval: 15_000,
  maxUnsubscribedInterval: HOUR,
  unboundLifetime: DAY,
  checkLeaseDuration: 10_000,
  checkRoundInterval: 500,
  sweepCheckInterval: 5_000,
  minSweepPause: 30_000,
  maxSweepPause: 5 * MINUTE,
  sweepBackoff: 5_000,
  sweepLeaseDuration: 30_000,
  expiry: {
    checkInterval: 10_000,
    runInterval: MINUTE,
    maxBackoff: 15 * MINUTE,
    taskDelay: 20,
  },
  keepReconciliation: MINUTE,
};

export const providerTimeouts: ProviderTimeouts = {
  providerTimeout: 4_000,
  listStallTimeout: 120_000,
  listTimeout: 600_000,
};

/** The maximum number of loans that a check reads: so many bound ones, and so many others. */
const MAX_DUE_LOANS = 5;

interface Dependencies {
  readonly config: Config;
  readonly orders: Orders;
  readonly connectProvider: ConnectProvider;
  readonly receiptSettings: () => ReceiptSettings;
  readonly findVatRates: FindVatRates;
  readonly times: PaymentTimes & ProviderTimeouts;
  readonly timeZone: CurrentTimeZone;
  /** Aborted when the server abandons the calls in progress. */
  readonly stopping: AbortSignal;
}

/**
 * Loans of the provider, the journal of money, payment issues, refunds, receipts and the expiry of
 * orders.
 */
export function createPayments(platform: Platform, dependencies: Dependencies) {
  const { database, bus, now, newId, onError, log, metrics } = platform;
  const { config, orders, connectProvider, times, timeZone } = dependencies;
  const { amendOrder, recordFailedAttempt } = orders;
  const { emitEvents } = platform.outbox;
  const { db } = database;

  const receipts = createReceipts({
    database,
    now,
    settings: dependencies.receiptSettings,
    findVatRates: dependencies.findVatRates,
  });
  const changeStatuses = receipts.issuing(orders.changeStatuses);
  const issueLog = createIssueLog({ log, metrics });
  const appendEntries = createAppendEntries({ now, newId });
  const issues = createIssueWriter({
    now,
    emitEvents,
    amendOrder,
    changeStatuses,
    appendEntries,
    overpaymentLimit: config.overpaymentLimit,
    onIssue(issue) {
      issueLog.recorded(issue);
      // A payment issue does not always change its order.
      bus.publish({ topic: "payment_issues" });
    },
  });

  const health = createProviderHealth({ database, log, metrics, onError });
  async function onUnrecognized(entries: readonly UnrecognizedEntry[], maxRecorded: number) {
    health.unrecognized(entries);
    if (maxRecorded > 0)
      await recordUnrecognized(entries.slice(0, maxRecorded), { database, issues });
  }
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
    onUnrecognized: (entry) => void onUnrecognized([entry], 1).catch(onError),
    onError,
  });
  const settle = createSettle({
    database,
    changeStatuses,
    recordFailedAttempt,
    appendEntries,
    issues,
    now,
    onFutureTime: health.futureTime,
  });
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
        onUnrecognized,
        times,
        onError,
        onSweepComplete: (began) => endPresumptions(began, { database, issues, now, onError }),
      }),
  });

  const askAboutLoans = createAskAboutLoans({ db, check });
  const cancellationDependencies = { database, askAboutLoans, changeStatuses, issues };
  const cancelOrder = createCancelOrder(cancellationDependencies);
  const hooks: PaymentHooks = {
    cancelOrder,
    describeMoney,
    refundedFor,
    moveOrder: createMoveOrder(cancellationDependencies),
  };
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
  const readLenderId = createReadLenderId({ provider, now: elapsed });
  const reconcile = createReconcile({ db, provider, now, times });
  return {
    hooks,
    providerState: health.state,
    clockAhead: health.clockAhead,
    watch: loanWorker.watch,
    customerRoutes(app: FastifyInstance) {
      lenderAccountRoute(app, readLenderId);
      const readHooks = [csrfProtection(config.publicUrl), requireOrderKey(orders.checkKey)];
      customerReceiptsRoute(app, { receipts, readHooks });
    },
    adminRoutes(app: FastifyInstance) {
      const decisionDependencies = { database, appendEntries, issues, changeStatuses };
      const refunds = createRefunds({
        database,
        amendOrder,
        emitEvents,
        appendEntries,
        issues,
        restockLines: orders.restockLines,
        refundReturn: orders.returns.refund,
        issueReceipts: receipts.issueMissing,
        newId,
      });
      receiptsRoute(app, { db, receipts });
      booksRoutes(app, { db, timeZone });
      vatRoutes(app, { db, timeZone });
      reconciliationRoutes(app, { db, reconcile, timeZone });
      refundRoutes(app, { db, refunds });
      issueRoutes(app, {
        db,
        resolveIssue: createResolveIssue(decisionDependencies),
        reopenIssue: createReopenIssue(decisionDependencies),
      });
    },
    workers: [loanWorker, expireOrders],
    close: issueLog.close,
  };
}
