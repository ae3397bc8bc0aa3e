import type { ServerWorld } from "./server-world.ts";

const MAX_LINES = 20;

interface Run {
  readonly world: ServerWorld;
  readonly errors: readonly string[];
}

export function summarize({ world, errors }: Run): string {
  const { orders, loans, entries, returns, receipts } = world.state;
  const refunds = entries.filter(({ kind }) => kind === "refunded");
  return [
    `${world.failures.length} violations`,
    `${orders.size} orders, ${loans.size} loans`,
    `${refunds.length} refunds, ${returns.length} returns, ${receipts.length} receipts`,
    `${world.received.size} deliveries`,
    `${errors.length} errors in the log`,
  ].join("; ");
}

/** The broken invariants, with the history of the orders and loans that each names. */
export function explain({ world, errors }: Run): string {
  const lines = world.failures.slice(0, MAX_LINES).flatMap(({ invariant, detail }) => {
    const names = detail.match(/\b[0-9a-f]{8}\b|\bloan-[\w-]+/g) ?? [];
    const own = world.history.filter(
      (line) => / (kill|the night)$/.test(line) || names.some((name) => line.includes(name)),
    );
    return [`✗ ${invariant}: ${detail}`, ...own.map((line) => `    ${line}`)];
  });
  return [...lines, ...errors.slice(0, MAX_LINES)].join("\n");
}
