import { readLastBackup } from "./database/last-backup.ts";
import type { Metrics } from "./observability/metrics.ts";
import type { Resources } from "./resources.ts";

interface Observed extends Pick<Resources, "database" | "databaseLoad" | "bus"> {
  readonly droppedLogLines: () => number;
  readonly secondsSince: (at: number) => number;
}

/** Adds the metrics of this process's database, bus, log and clock. */
export function addProcessMetrics(
  metrics: Metrics,
  { database, databaseLoad, bus, droppedLogLines, secondsSince }: Observed,
): void {
  metrics.total(
    "keepsats_database_queries_total",
    "Queries of this process",
    () => databaseLoad().queries,
  );
  metrics.total(
    "keepsats_database_seconds_total",
    "Time that this process spent on queries",
    () => databaseLoad().seconds,
  );
  metrics.gauge("keepsats_database_up", "Whether the database can be read and written", () =>
    Number(databaseLoad().up),
  );
  metrics.total(
    "keepsats_log_lines_dropped_total",
    "Log lines that could not be written",
    droppedLogLines,
  );
  metrics.gauge("keepsats_bus_connected", "Whether messages of other processes are received", () =>
    Number(bus.health.connected),
  );
  metrics.gauge(
    "keepsats_bus_lag_seconds",
    "Round trip of a message through the bus",
    () => bus.health.lag / 1000,
  );
  metrics.gauge(
    "keepsats_clock_ahead_of_database_seconds",
    "How far the clock of this machine is ahead of the database server's",
    () => (Date.now() - database.now()) / 1000,
  );
  metrics.gauge(
    "keepsats_last_backup_seconds",
    "Time since the last complete backup, or since the start if there was none",
    async () => secondsSince(await readLastBackup(database.db)),
  );
}
