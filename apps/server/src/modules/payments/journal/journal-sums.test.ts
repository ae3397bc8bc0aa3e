import { expect, test } from "vitest";
import { type DaySum, heldIn, sumsByKind, sumsByPeriod } from "./journal-sums.ts";

const on = (day: string, kind: DaySum["kind"], amount: number, entries = 1): DaySum => ({
  day,
  kind,
  currency: "USD",
  entries,
  amount,
});

const sums = [
  on("2026-11-30", "received", 4_500, 2),
  on("2026-11-30", "refunded", 500),
  on("2026-12-01", "waived", 300),
  on("2026-12-31", "reversed", -1_000),
];

test("what the shop holds is received less refunded, whatever staff decided", () => {
  expect(heldIn(sums)).toBe(3_000);
});

test("a refund is negative, and a decision has an amount of its own", () => {
  expect(sumsByKind(sums)).toEqual([
    { kind: "received", entries: 2, change: 4_500, decided: 0 },
    { kind: "reversed", entries: 1, change: -1_000, decided: 0 },
    { kind: "refunded", entries: 1, change: -500, decided: 0 },
    { kind: "waived", entries: 1, change: 0, decided: 300 },
  ]);
});

test("months have the sums of their days", () => {
  expect(sumsByPeriod(sums, "day").map(({ period, change }) => [period, change])).toEqual([
    ["2026-11-30", 4_000],
    ["2026-12-01", 0],
    ["2026-12-31", -1_000],
  ]);
  expect(sumsByPeriod(sums, "month").map(({ period, change }) => [period, change])).toEqual([
    ["2026-11", 4_000],
    ["2026-12", -1_000],
  ]);
});
