import type { Database, Queries } from "../db/database.ts";
import { readFact } from "../db/facts.ts";
import { createLoop, type Loop } from "../loop.ts";
import type { Attempt, Channel } from "./channel.ts";
import { retryWaiting } from "./retry-waiting.ts";

/** The state of a delivery service, such as the mail server, at the last attempt by any process. */
export type ServiceState = "ok" | "away";
const OK: ServiceState = "ok";
const AWAY: ServiceState = "away";

/** This many consecutive temporary refusals of new deliveries are an outage; a single one may be specific to its delivery. */
const REFUSED_IN_A_ROW = 3;
/** During an outage, the interval at which a waiting delivery is attempted to detect its end, in milliseconds. */
const PROBE = 60_000;

interface Dependencies {
  readonly database: Database;
  /** The name under which all processes share its state. */
  readonly service: string;
  readonly channels: readonly string[];
  readonly probe?: number;
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
  /** To be called after a success outside the outbox, such as a test email. */
  succeeded(): void;
}

export async function readServiceState(db: Queries, service: string): Promise<ServiceState> {
  return (await readFact(db, factOf(service))) === AWAY ? AWAY : OK;
}

const factOf = (service: string) => `service ${service}`;

export function createOutages(dependencies: Dependencies): Outages {
  const { database, service, channels, probe = PROBE, onBegin, onEnd, wake, onError } = dependencies;
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

  function failed({ answer, isOutage = false }: Extract<Attempt, { kind: "retry" }>, attempts: number): void {
    if (attempts === 0) refused += 1;
    if (isOutage || refused >= REFUSED_IN_A_ROW) void begin(answer).catch(onError);
  }

  async function probeWaiting(): Promise<void> {
    if ((await readServiceState(database.db, service)) === OK) return;
    await database.inTransaction((unit) => retryWaiting(unit, channels, database.now(), 1));
    wake();
  }

  return {
    ...createLoop(probeWaiting, probe, onError),
    succeeded,
    observe: (channel) => ({
      ...channel,
      async deliver(delivery, signal) {
        const result = await channel.deliver(delivery, signal);
        if (result.kind === "delivered") succeeded();
        // An attempt aborted by shutdown says nothing about the service.
        else if (result.kind === "retry" && signal.reason !== "interrupted")
          failed(result, delivery.attempts);
        return result;
      },
    }),
  };
}
