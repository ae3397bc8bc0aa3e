import { Counter } from "prom-client";
import type { Platform } from "../../../platform/platform.ts";
import type { UnrecognizedEntry } from "../loans/loan-provider.ts";
import type { IssueWriter } from "./issue-writer.ts";

export type RecordUnrecognized = ReturnType<typeof createRecordUnrecognized>;

export function createRecordUnrecognized({
  database,
  metrics,
  issues,
}: Pick<Platform, "database" | "metrics"> & { readonly issues: IssueWriter }) {
  const counted = new Counter({
    name: "keepsats_provider_entries_unrecognized_total",
    help: "Entries of the provider that could not be understood, counted each time",
    registers: [metrics.registry],
  });
  /** Records up to `max` entries that the adapter cannot decode as payment issues, each once. */
  return async (entries: readonly UnrecognizedEntry[], max: number): Promise<void> => {
    counted.inc(entries.length);
    const recorded = entries.slice(0, max);
    const shapes = new Map(
      recorded.map(({ id, shape }) => [id ?? `without an id (${shape})`, shape]),
    );
    if (shapes.size === 0) return;
    await database.inTransaction(async (unit) => {
      await unit.lock(...shapes.keys());
      const opened = [...shapes].map(([loanId, shape]) => ({
        kind: "unrecognized" as const,
        loanId,
        orderId: undefined,
        detail: `The provider reports it in an unknown form: ${shape}.`,
      }));
      await issues.open(unit, opened);
    });
  };
}
