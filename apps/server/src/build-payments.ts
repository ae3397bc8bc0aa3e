import type { Telemetry } from "./build-telemetry.ts";
import { elapsed } from "./clock.ts";
import { readInGroups } from "./db/in-groups.ts";
import { type ChangeStatuses, createNoteAttemptOver, findStates } from "./orders/index.ts";
import type { Parts } from "./parts.ts";
import {
  createCallBudget,
  createCurrentUser,
  createLoanProvider,
  createMoveOrder,
  createPayments,
  createRecordNotUnderstood,
  createRecordRefundsOwed,
  createSharedCallBudget,
  type NotUnderstood,
} from "./payments/index.ts";
import { RETRY_AFTER_SECONDS } from "./shop-api/show-account.ts";

const PROVIDER_CALLS_PER_SECOND = 5;

interface Needs {
  readonly telemetry: Telemetry;
  readonly changeStatuses: ChangeStatuses;
  /** Aborted when the server abandons the calls in progress. */
  readonly stopping: AbortSignal;
}

/** Creates the loan provider's client and everything that follows, reconciles and records loans. */
export function buildPayments(parts: Parts, needs: Needs) {
  const { database, bus, now, times } = parts;
  const { telemetry, changeStatuses } = needs;
  const { onError } = telemetry;
  const recording = { now, onMismatch: telemetry.mismatches.recorded };
  const recordNotUnderstood = createRecordNotUnderstood({ database, ...recording });
  async function onNotUnderstood(entries: readonly NotUnderstood[], mostRecorded: number): Promise<void> {
    telemetry.provider.notUnderstood(entries);
    if (mostRecorded > 0) await recordNotUnderstood(entries.slice(0, mostRecorded));
  }
  const provider = buildProvider(parts, {
    ...needs,
    onNotUnderstood: (entry) => void onNotUnderstood([entry], 1).catch(onError),
  });
  const stateOf = readInGroups((ids: readonly string[]) => findStates(database.db, ids));
  const { watches, reconciler } = createPayments({
    database,
    provider,
    now,
    leaseNow: database.now,
    times,
    changeStatuses,
    noteAttemptOver: createNoteAttemptOver({ bus }),
    statusOf: async (orderId) => (await stateOf(orderId))?.status,
    onMismatch: recording.onMismatch,
    onNotUnderstood,
    onError,
  });
  return {
    watches,
    reconciler,
    moveOrder: createMoveOrder({
      database,
      changeStatuses,
      recordRefundsOwed: createRecordRefundsOwed(recording),
    }),
    currentUser: createCurrentUser({ provider, now: elapsed, retryAfter: RETRY_AFTER_SECONDS * 1000 }),
  };
}

type ProviderNeeds = Needs & { readonly onNotUnderstood: (entry: NotUnderstood) => void };

function buildProvider(parts: Parts, { telemetry, stopping, onNotUnderstood }: ProviderNeeds) {
  const { config, database, times } = parts;
  const timeouts = { answer: times.providerTimeout, stalled: times.listStalled, list: times.listTimeout };
  const api = parts.connectProvider({
    apiUrl: config.loanApiUrl,
    apiKey: config.loanApiKey,
    timeouts,
    onTime: telemetry.provider.providerTime,
  });
  return createLoanProvider(api, {
    budget:
      config.database.kind === "postgres"
        ? createSharedCallBudget(database, PROVIDER_CALLS_PER_SECOND, database.now)
        : createCallBudget(PROVIDER_CALLS_PER_SECOND, elapsed),
    timeouts,
    stopping,
    onAnswer: telemetry.provider.answered,
    onNotUnderstood,
    onError: telemetry.onError,
  });
}
