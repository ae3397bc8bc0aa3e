import type { Database, Queries } from "../db/database.ts";
import { readFact } from "../db/facts.ts";
import { createLoop, type Loop } from "../loop.ts";
import type { Attempt, Channel } from "./channel.ts";
import { waitingChannels } from "./queue.ts";
import { retryWaiting } from "./retry-waiting.ts";

/** The state of a delivery service, such as the mail server, at the last attempt by any process. */
export type ServiceState = "ok" | "away";
const OK: ServiceState = "ok";
const AWAY: ServiceState = "away";

/**
 * This many consecutive temporary refusals of new deliveries are an outage; a single one may be
 * specific to its delivery.
 */
const REFUSED_IN_A_ROW = 3;
/**
 * During an outage, the interval at which a waiting delivery is attempted, or the service checked,
 * to detect its end, in milliseconds.
 */
const PROBE = 60_000;

interface Dependencies {
  readonly database: Database;
  /** The name under which all processes share its state. */
  readonly service: string;
  readonly channels: readonly string[];
  readonly probe?: number;
  /** Checks the service without a delivery. Never rejects. */
  readonly isUsable: () => Promise<boolean>;
  /** Called only in the process that detects an outage first. */
  readonly onBegin: (why: string) => void;
  /** Called only in the process that detects its end first. */
  readonly onEnd: () => void;
  /** Starts the search for due deliveries immediately. */
  readonly wake: () => void;
  readonly onError: (error: unknown) => void;
}

/** Detects outages of a service, and retries all waiting deliveries after the first success. */
export interface Outages extends Loop {
  /** Returns the channel with its attempts observed. */
  observe(channel: Channel): Channel;
  /** Notes the result of an attempt outside the outbox, such as a test email. */
  note(result: Attempt): void;
}

export async function readServiceState(db: Queries, service: string): Promise<ServiceState> {
  return (await readFact(db, factOf(service))) === AWAY ? AWAY : OK;
}

const factOf = (service: string) => `service ${service}`;

export function createOutages(dependencies: Dependencies): Outages {
  const {
    database,
    service,
    channels,
    probe = PROBE,
    isUsable,
    onBegin,
    onEnd,
    wake,
    onError,
  } = dependencies;
  const name = factOf(service);
  let refused = 0;

  async function begin(why: string): Promise<void> {
    if ((await readServiceState(database.db, service)) === AWAY) return;
    const { numInsertedOrUpdatedRows = 0n } = await database.db
      .insertInto("facts")
      .values({ name, value: AWAY })
      .onConflict((conflict) =>
        conflict.column("name").doUpdateSet({ value: AWAY }).where("facts.value", "<>", AWAY),
      )
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows > 0n) onBegin(why);
  }

  async function end(): Promise<void> {
    if ((await readServiceState(database.db, service)) === OK) return;
    await database.inTransaction(async (unit) => {
      const { numUpdatedRows } = await unit.db
        .updateTable("facts")
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
    { answer, isOutage = false }: Extract<Attempt, { kind: "retry" }>,
    isNew: boolean,
  ): void {
    if (isNew) refused += 1;
    if (isOutage || refused >= REFUSED_IN_A_ROW) void begin(answer).catch(onError);
  }

  function note(result: Attempt, isNew: boolean): void {
    switch (result.kind) {
      case "delivered":
        return succeeded();
      case "gave-up":
        return result.isRefusal === true ? succeeded() : undefined;
      case "retry":
        return failed(result, isNew);
      case "skipped":
        return;
    }
  }

  async function probeWaiting(stopping: AbortSignal): Promise<void> {
    if ((await readServiceState(database.db, service)) === OK) return;
    if ((await waitingChannels(database.db)).some((channel) => channels.includes(channel))) {
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
    ...createLoop(probeWaiting, probe, onError),
    note: (result) => note(result, false),
    observe: (channel) => ({
      ...channel,
      async deliver(delivery, signal) {
        const result = await channel.deliver(delivery, signal);
        // An attempt aborted by shutdown says nothing about the service.
        if (result.kind !== "retry" || signal.reason !== "interrupted")
          note(result, delivery.attempts === 0);
        return result;
      },
    }),
  };
}
