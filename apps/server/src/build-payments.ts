import type { Telemetry } from "./build-telemetry.ts";
import { elapsed } from "./clock.ts";
import { readInGroups } from "./db/in-groups.ts";
import {
  type ChangeStatuses,
  createAmendOrder,
  createNoteAttemptOver,
  findStates,
} from "./orders/index.ts";
import type { Announce } from "./outbox/outbox.ts";
import type { Parts } from "./parts.ts";
import {
  type CancelOrder,
  type ClockAhead,
  createAppendEntries,
  createCallBudget,
  createCurrentUser,
  createExpireOrders,
  createIssueRecords,
  createLoanProvider,
  createPayments,
  createReconcile,
  createReconcileIssues,
  createRecordNotUnderstood,
  createRecordRefund,
  createReopenIssue,
  createResolveIssue,
  createReverseRefund,
  createSharedCallBudget,
  type NotUnderstood,
  type OnIssue,
} from "./payments/index.ts";
import { createEraseOldOrders } from "./privacy/erase-old-orders.ts";
import { createEraseOrder, type EraseOrder } from "./privacy/erase-order.ts";
import { RETRY_AFTER_SECONDS } from "./shop-api/show-account.ts";

interface Needs {
  readonly telemetry: Telemetry;
  readonly changeStatuses: ChangeStatuses;
  readonly announce: Announce;
  /** Aborted when the server abandons the calls in progress. */
  readonly stopping: AbortSignal;
}

/** Creates the loan provider's client and everything that follows, reconciles and records loans. */
export function buildPayments(parts: Parts, needs: Needs) {
  const { database, bus, now, times } = parts;
  const { telemetry, changeStatuses, announce } = needs;
  const { onError } = telemetry;
  const onIssue: OnIssue = (issue) => {
    telemetry.issues.recorded(issue);
    // A payment issue does not always change its order, and only the desk shows it.
    if (parts.config.desk !== undefined) bus.publish({ topic: "payment_issues" });
  };
  const amendOrder = createAmendOrder({ bus, now });
  const records = createIssueRecords({ now, announce, amendOrder, onIssue });
  const appendEntries = createAppendEntries({ now, newId: parts.newId });
  const { overpaymentLimit } = parts.config;
  const reconciling = { appendEntries, records, changeStatuses, overpaymentLimit };
  const reconcile = createReconcile(reconciling);
  const recordNotUnderstood = createRecordNotUnderstood({ database, records });
  async function onNotUnderstood(
    entries: readonly NotUnderstood[],
    mostRecorded: number,
  ): Promise<void> {
    telemetry.provider.notUnderstood(entries);
    if (mostRecorded > 0) await recordNotUnderstood(entries.slice(0, mostRecorded));
  }
  const provider = buildProvider(parts, {
    ...needs,
    onNotUnderstood: (entry) => void onNotUnderstood([entry], 1).catch(onError),
  });
  const stateOf = readInGroups((ids: readonly string[]) => findStates(database.db, ids));
  const { loanWorker, cancelOrder, moveOrder } = createPayments({
    database,
    provider,
    now,
    leaseNow: database.now,
    times,
    changeStatuses,
    noteAttemptOver: createNoteAttemptOver({ bus, now, announce }),
    statusOf: async (orderId) => (await stateOf(orderId))?.status,
    appendEntries,
    records,
    reconcile,
    reconcileIssues: createReconcileIssues(reconciling),
    onFutureTime: telemetry.provider.futureTime,
    onNotUnderstood,
    onError,
  });
  const orders = { database, amendOrder, announce, now };
  const money = { ...orders, appendEntries, records, reconcile, changeStatuses };
  const eraseOrder = createEraseOrder(orders);
  return {
    loanWorker,
    cancelOrder,
    moveOrder,
    recordRefund: createRecordRefund({ ...money, newId: parts.newId }),
    reverseRefund: createReverseRefund(money),
    resolveIssue: createResolveIssue(money),
    reopenIssue: createReopenIssue(money),
    eraseOrder,
    expireOrders: buildExpireOrders(parts, { cancelOrder, telemetry }),
    eraseOldOrders: buildEraseOldOrders(parts, { eraseOrder, telemetry }),
    currentUser: createCurrentUser({
      provider,
      now: elapsed,
      retryAfter: RETRY_AFTER_SECONDS * 1000,
    }),
  };
}

const HOUR = 60 * 60_000;

function clockAheadOf(database: Parts["database"], { provider }: Telemetry): ClockAhead {
  return () => {
    const seconds = provider.clockOffset();
    return seconds === undefined ? undefined : database.now() - Date.now() + seconds * 1000;
  };
}

/** The background task that cancels orders that are not paid in time. */
function buildExpireOrders(
  { config, database, times }: Parts,
  { cancelOrder, telemetry }: { readonly cancelOrder: CancelOrder; readonly telemetry: Telemetry },
) {
  const { metrics, onError } = telemetry;
  return createExpireOrders({
    database,
    term: config.orderExpiresHours * HOUR,
    cancelOrder,
    times,
    clockAhead: clockAheadOf(database, telemetry),
    onExpired: () => metrics.expired.inc(),
    onError,
  });
}

/** The background task that erases old orders, if the merchant wants one. */
function buildEraseOldOrders(
  { config: { retainDays }, database, log, times }: Parts,
  { eraseOrder, telemetry }: { readonly eraseOrder: EraseOrder; readonly telemetry: Telemetry },
) {
  if (retainDays === undefined) return undefined;
  const onErased = (orders: number) =>
    log.info({ orders }, "personal data of old orders was erased");
  return createEraseOldOrders({
    database,
    retainDays,
    eraseOrder,
    times,
    clockAhead: clockAheadOf(database, telemetry),
    onErased,
    onError: telemetry.onError,
  });
}

type ProviderNeeds = Needs & { readonly onNotUnderstood: (entry: NotUnderstood) => void };

function buildProvider(parts: Parts, { telemetry, stopping, onNotUnderstood }: ProviderNeeds) {
  const { config, database, times } = parts;
  const timeouts = {
    answer: times.providerTimeout,
    stalled: times.listStalled,
    list: times.listTimeout,
  };
  const api = parts.connectProvider({
    apiUrl: config.loanApiUrl,
    apiKey: config.loanApiKey,
    timeouts,
    onTime: telemetry.provider.providerTime,
  });
  return createLoanProvider(api, {
    budget:
      config.database.kind === "postgres"
        ? createSharedCallBudget(database, database.now)
        : createCallBudget(elapsed),
    timeouts,
    stopping,
    onAnswer: telemetry.provider.answered,
    onNotUnderstood,
    onError: telemetry.onError,
  });
}
