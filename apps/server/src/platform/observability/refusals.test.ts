import { pino } from "pino";
import { Counter } from "prom-client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRefusalLog } from "./refusals.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start() {
  const lines: { kind: string; address: string; count: number }[] = [];
  const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) });
  const refusals = new Counter({
    name: "refusals",
    help: "-",
    labelNames: ["kind"],
    registers: [],
  });
  const refusalLog = createRefusalLog(log, refusals);
  return {
    ...refusalLog,
    refusals,
    logged: () => lines.map(({ kind, address, count }) => [kind, address, count]),
  };
}

test("the first refusal of an address is logged at once, and further ones once a minute with their count", () => {
  const { refused, logged, close } = start();
  for (let count = 0; count < 100; count += 1) refused("orders", "10.0.0.1");
  refused("sockets", "10.0.0.1");
  refused("orders", "2001:db8:1:2");
  expect(logged()).toEqual([
    ["orders", "10.0.0.1", 1],
    ["sockets", "10.0.0.1", 1],
    ["orders", "2001:db8:1:2", 1],
  ]);
  vi.advanceTimersByTime(70_000);
  expect(logged().slice(3)).toEqual([["orders", "10.0.0.1", 99]]);
  for (let count = 0; count < 5; count += 1) refused("orders", "10.0.0.1");
  expect(logged().slice(4), "it goes on").toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(logged().slice(4)).toEqual([["orders", "10.0.0.1", 5]]);
  vi.advanceTimersByTime(140_000);
  refused("orders", "10.0.0.1");
  expect(logged().slice(5)).toEqual([["orders", "10.0.0.1", 1]]);
  close();
});

test("the refusals of a thousand addresses are logged separately, those of further addresses together", () => {
  const { refused, logged, close } = start();
  for (let address = 0; address < 1_010; address += 1)
    refused("orders", `10.0.${address >> 8}.${address & 255}`);
  expect(logged()).toHaveLength(1_001);
  close();
  expect(logged().at(-1)).toEqual(["orders", "others", 9]);
});

test("a limit's key that is not an IP address is never logged, because it may be personal", () => {
  const { refused, logged, close } = start();
  for (const key of ["jo@home.example", "+49 170 123", "Abe", ""]) refused("orders", key);
  close();
  expect(logged()).toEqual([
    ["orders", "others", 1],
    ["orders", "others", 3],
  ]);
});

test("the metric counts every refusal by its kind", async () => {
  const { refused, refusals, close } = start();
  refused("orders", "10.0.0.1");
  refused("orders", "2001:db8:1:2");
  expect((await refusals.get()).values).toMatchObject([{ labels: { kind: "orders" }, value: 2 }]);
  close();
});
