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
  const refusals = new Counter({ name: "refusals", help: "-", labelNames: ["kind"], registers: [] });
  const refusalLog = createRefusalLog({ log, metrics: { refusals }, now: Date.now });
  return {
    ...refusalLog,
    refusals,
    logged: () => lines.map(({ kind, address, count }) => [kind, address, count]),
  };
}

test("the first refusal of an address is logged at once, and further ones once a minute with their count", () => {
  const { refused, logged, close } = start();
  for (let count = 0; count < 100; count += 1) refused("orders", "a");
  refused("sockets", "a");
  refused("orders", "b");
  expect(logged()).toEqual([
    ["orders", "a", 1],
    ["sockets", "a", 1],
    ["orders", "b", 1],
  ]);
  vi.advanceTimersByTime(70_000);
  expect(logged().slice(3)).toEqual([["orders", "a", 99]]);
  vi.advanceTimersByTime(140_000);
  refused("orders", "a");
  expect(logged().slice(4)).toEqual([["orders", "a", 1]]);
  close();
});

test("the refusals of a thousand addresses are logged separately, those of further addresses together", () => {
  const { refused, logged, close } = start();
  for (let address = 0; address < 1_010; address += 1) refused("orders", String(address));
  expect(logged()).toHaveLength(1_001);
  close();
  expect(logged().at(-1)).toEqual(["orders", "others", 9]);
});

test("the metric counts every refusal by its kind", async () => {
  const { refused, refusals, close } = start();
  refused("orders", "a");
  refused("orders", "b");
  expect((await refusals.get()).values).toMatchObject([{ labels: { kind: "orders" }, value: 2 }]);
  close();
});
