import type { Database, Queries } from "../database/database.ts";
import { readOrWriteValue, readValue } from "../database/key-values.ts";
import { retryWaiting } from "./change-deliveries.ts";
import type { AttemptResult, Channel } from "./channel.ts";

/** The state of a service, such as the mail server, after the last attempt of any process. */
type ServiceState = "ok" | "away";
const OK = "ok" satisfies ServiceState;
const AWAY = "away" satisfies ServiceState;

/**
 * This many consecutive temporary refusals of new deliveries are an outage; fewer may be specific
 * to their deliveries.
 */
const REFUSALS_OF_OUTAGE = 3;

interface Dependencies {
  readonly database: Database;
  /** The key of its state, which all processes share. */
  readonly service: string;
  readonly channels: readonly string[];
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
  onBegin,
  onEnd,
  wake,
  onError,
}: Dependencies) {
  const name = keyOf(service);
  let refused = 0;

  /** @returns whether the state was another one, so that one process reports each change */
  async function changeTo(db: Queries, value: ServiceState): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable("key_values")
      .set({ value })
      .where("name", "=", name)
      .where("value", "<>", value)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async function begin(why: string): Promise<void> {
    if ((await readServiceState(database.db, service)) === AWAY) return;
    await readOrWriteValue(database.db, name, OK);
    if (await changeTo(database.db, AWAY)) onBegin(why);
  }

  async function end(): Promise<void> {
    if ((await readServiceState(database.db, service)) === OK) return;
    await database.inTransaction(async (unit) => {
      if (!(await changeTo(unit.db, OK))) return;
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

  return {
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
