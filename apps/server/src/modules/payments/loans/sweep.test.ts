import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { aLoan } from "../../../../../../test/harness/builders.ts";
import type { Database } from "../../../platform/database/database.ts";
import { writeValue } from "../../../platform/database/key-values.ts";
import { openSqlite } from "../../../platform/database/sqlite.ts";
import type { LoanPart, LoanProvider } from "./loan-provider.ts";
import { readSweepState, sweepInTurn, writeSweepState } from "./sweep.ts";

let folder: string;
let database: Database;
let time: number;
let settled: string[];
/** The loans that are being settled, and the most that were at the same time. */
let atOnce: number;
let mostAtOnce: number;
let unrecognized: [entries: number, mostRecorded: number][];
let errors: string[];
/** What the provider's list says. */
let loans: LoanProvider["loans"];
let failsToSettle: boolean;
/** When the complete sweeps began. */
let completed: number[];
let failsToReport: boolean;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "keepsats-"));
  database = openSqlite(join(folder, "shop.db"));
  time = 1_000_000;
  settled = [];
  atOnce = 0;
  mostAtOnce = 0;
  unrecognized = [];
  errors = [];
  failsToSettle = false;
  completed = [];
  failsToReport = false;
  loans = async () => ({ kind: "found", value: 0 });
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

function sweep(): Promise<boolean> {
  return sweepInTurn({
    database: { ...database, now: () => time },
    provider: {
      loans: (onPart) => loans(onPart),
      lenderId: async () => ({ kind: "absent" }),
      takeLoanCall: async () => undefined,
      reachable: true,
    },
    async settle({ id }) {
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      // Slow, so that a sweep that does not wait for it would end first.
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      atOnce -= 1;
      if (failsToSettle) throw new Error(`${id} cannot be settled`);
      settled.push(id);
      return { kind: "ignored" };
    },
    async recordUnrecognized(entries, mostRecorded) {
      unrecognized.push([entries.length, mostRecorded]);
    },
    async onSweepComplete(began) {
      completed.push(began);
      if (failsToReport) throw new Error("the presumptions cannot be read");
    },
    times: {
      minSweepPause: 60_000,
      maxSweepPause: 600_000,
      sweepBackoff: 1_000,
      sweepLeaseDuration: 30_000,
    },
    onError: (error) => errors.push(String(error)),
  });
}

/** How long after now the next sweep begins, in steps of half a second; it is begun. */
async function nextAfter(): Promise<number> {
  const from = time;
  while (!(await sweep())) time += 500;
  return time - from;
}

const part = (count: number, unclear = 0): LoanPart => ({
  loans: Array.from({ length: count }, (_, index) => aLoan({ id: `loan-${index}` })),
  unrecognized: Array.from({ length: unclear }, () => ({
    id: undefined,
    shape: "it is a number",
  })),
});

test("a sweep settles every loan, is stored, and is followed by a pause", async () => {
  loans = async (onPart) => {
    await onPart(part(2));
    return { kind: "found", value: 0 };
  };
  expect(await sweep()).toBe(true);
  expect(settled).toEqual(["loan-0", "loan-1"]);
  expect(await readSweepState(database.db)).toEqual({
    began: 1_000_000,
    ended: 1_000_000,
    failures: 0,
  });
  expect(await sweep(), "it is not time").toBe(false);
  expect(await nextAfter()).toBe(60_000);
});

test("a part of the list is settled ten loans at a time, so that no customer waits for all of them", async () => {
  loans = async (onPart) => {
    await onPart(part(25));
    return { kind: "found", value: 0 };
  };
  expect(await sweep()).toBe(true);
  expect(settled).toHaveLength(25);
  expect(mostAtOnce).toBe(10);
});

test("sweeps that fail are tried again after ever longer pauses, until one succeeds", async () => {
  loans = async () => {
    throw new Error("the line is cut");
  };
  await sweep();
  const pauses: number[] = [];
  for (let failure = 1; failure <= 12; failure += 1) pauses.push(await nextAfter());
  expect(pauses).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000, 600_000, 600_000,
  ]);
  expect(errors).toHaveLength(13);
  expect(await readSweepState(database.db)).toMatchObject({ began: 0, failures: 13 });
  loans = async () => ({ kind: "found", value: 0 });
  await nextAfter();
  expect(await readSweepState(database.db)).toMatchObject({ began: time, failures: 0 });
});

test("a sweep for which no call is left is tried again soon, and counts neither as complete nor as failed", async () => {
  loans = async () => ({ kind: "deferred" });
  await sweep();
  expect(await nextAfter()).toBe(1_000);
  expect(await nextAfter()).toBe(1_000);
  expect(await readSweepState(database.db)).toEqual({ began: 0, ended: 0, failures: 0 });
});

test("a sweep in which one loan cannot be settled has failed, and the others are settled", async () => {
  failsToSettle = true;
  loans = async (onPart) => {
    await onPart(part(1));
    failsToSettle = false;
    await onPart({ ...part(0), loans: [aLoan({ id: "another" })] });
    return { kind: "found", value: 0 };
  };
  await sweep();
  expect(settled).toEqual(["another"]);
  expect(errors).toEqual(["Error: loan-0 cannot be settled"]);
  expect(await readSweepState(database.db)).toMatchObject({ failures: 1 });
});

test("a sweep records a hundred of the entries in an unknown form", async () => {
  loans = async (onPart) => {
    for (const unclear of [60, 0, 60, 1]) await onPart(part(0, unclear));
    return { kind: "found", value: 0 };
  };
  await sweep();
  expect(unrecognized).toEqual([
    [60, 100],
    [60, 40],
    [1, 0],
  ]);
  expect(await readSweepState(database.db)).toMatchObject({ failures: 0 });
});

test("the end of a complete sweep is reported with its beginning, and cannot fail the sweep", async () => {
  failsToReport = true;
  loans = async () => {
    time += 7_000;
    return { kind: "found", value: 0 };
  };
  await sweep();
  expect(completed).toEqual([1_000_000]);
  expect(errors).toEqual(["Error: the presumptions cannot be read"]);
  expect(await readSweepState(database.db)).toEqual({
    began: 1_000_000,
    ended: 1_007_000,
    failures: 0,
  });
  loans = async () => ({ kind: "unavailable", why: "it is away" });
  await nextAfter();
  expect(completed).toHaveLength(1);
});

const none = { began: 0, ended: 0, failures: 0 };

test("the stored state of the sweeps is read back", async () => {
  expect(await readSweepState(database.db)).toEqual(none);
  await writeSweepState(database.db, { began: 1, ended: 2, failures: 3 });
  expect(await readSweepState(database.db)).toEqual({ began: 1, ended: 2, failures: 3 });
});

test.each(["", "{", "null", "[]", '{"began":1}', '{"began":"1","ended":2,"failures":3}'])(
  "%j in its place counts as no sweep, so that sweeps go on",
  async (text) => {
    await writeValue(database.db, "sweep", text);
    expect(await readSweepState(database.db)).toEqual(none);
  },
);
