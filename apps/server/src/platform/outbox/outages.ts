import type { Database, Queries } from "../database/database.ts";
import { readValue } from "../database/key-values.ts";
import { createPeriodicWorker } from "../scheduling/periodic-worker.ts";
import { retryWaiting } from "./change-deliveries.ts";
import type { AttemptResult, Channel } from "./channel.ts";
import { listWaitingChannels } from "./queue.ts";

/** The state of a service, such as the mail server, after the last attempt of any process. */
type ServiceState = "ok" | "away";
const OK = "ok" satisfies ServiceState;
const AWAY = "away" satisfies ServiceState;

/**
 * This many consecutive temporary refusals of new deliveries are an outage; fewer may be specific
 * to their deliveries.
 */
const REFUSALS_OF_OUTAGE = 3;
/** The interval of probes for the end of an outage, in milliseconds. */
const PROBE_INTERVAL = 60_000;

interface Dependencies {
  readonly database: Database;
  /** The key of its state, which all processes share. */
  readonly service: string;
  readonly channels: readonly string[];
  /** The interval of probes, in milliseconds. */
  readonly probe?: number;
  /** Checks the service without a delivery. Never rejects. */
  readonly isUsable: () => Promise<boolean>;
  /** Called only in the process that detects the outage first. */
  readonly onBegin: (why: string) => void;
  /** Called only in the process that detects its end first. */
  readonly onEnd: () => void;
  readonly wake: () => void;
  readonly onError: (error: unknown) => void;
}

export async function readServiceState(db: Queries, service: string): Promise<ServiceState> {
  return (await readValue(db, keyOf(service))) === AWAY ? AWAY : OK;
}

const keyOf = (service: string) => `service ${service}`;

/** Detects outages of a service, and retries all waiting deliveries when one ends. */
export function createOutages({
  database,
  service,
  channels,
  probe = PROBE_INTERVAL,
  isUsable,
  onBegin,
  onEnd,
  wake,
  onError,
}: Dependencies) {
  const name = keyOf(service);
  let refused = 0;

  async function begin(why: string): Promise<void> {
    if ((await readServiceState(database.db, service)) === AWAY) return;
    const { numInsertedOrUpdatedRows = 0n } = await database.db
      .insertInto("key_values")
      .values({ name, value: AWAY })
      .onConflict((conflict) =>
        conflict.column("name").doUpdateSet({ value: AWAY }).where("key_values.value", "<>", AWAY),
      )
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows > 0n) onBegin(why);
  }

  async function end(): Promise<void> {
    if ((await readServiceState(database.db, service)) === OK) return;
    await database.inTransaction(async (unit) => {
      const { numUpdatedRows } = await unit.db
        .updateTable("key_values")
        .set({ value: OK })
        .where("name", "=", name)
        .where("value", "=", AWAY)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      await retryWaiting(unit, channels, database.now());
      unit.afterCommit(() => {
        onEnd();
        wake();
      });
    });
  }

  function succeeded(): void {
    refused = 0;
    void end().catch(onError);
  }

  function failed(
    { answer, isOutage = false }: Extract<AttemptResult, { kind: "retry" }>,
    isNew: boolean,
  ): void {
    if (isNew) refused += 1;
    if (isOutage || refused >= REFUSALS_OF_OUTAGE) void begin(answer).catch(onError);
  }

  function note(result: AttemptResult, isNew: boolean): void {
    switch (result.kind) {
      case "delivered":
        return succeeded();
      case "failed":
        return result.isRefusal === true ? succeeded() : undefined;
      case "retry":
        return failed(result, isNew);
      case "skipped":
        return;
    }
  }

  /** Attempts one waiting delivery; without one, checks the service itself. */
  async function probeService(stopping: AbortSignal): Promise<void> {
    if ((await readServiceState(database.db, service)) === OK) return;
    if ((await listWaitingChannels(database.db)).some((channel) => channels.includes(channel))) {
      await database.inTransaction((unit) => retryWaiting(unit, channels, database.now(), 1));
      wake();
      return;
    }
    // Not awaited, so that stopping does not wait for the service.
    void isUsable()
      .then((isUp) => (isUp && !stopping.aborted ? end() : undefined))
      .catch(onError);
  }

  return {
    ...createPeriodicWorker(probeService, probe, onError),
    /** Notes the result of an attempt outside the outbox, such as a test email. */
    note: (result: AttemptResult) => note(result, false),
    /** Wraps a channel to observe its attempts. */
    observe: (channel: Channel): Channel => ({
      ...channel,
      async deliver(delivery, signal) {
        const result = await channel.deliver(delivery, signal);
        // An attempt that the shutdown aborted says nothing about the service.
        if (result.kind !== "retry" || signal.reason !== "interrupted")
          note(result, delivery.attempts === 0);
        return result;
      },
    }),
  };
}
