import { type AdminMessage, adminTopics } from "@keepsats/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createInProcessBus } from "../../platform/events/bus.ts";
import { createLiveChanges } from "./live-changes.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const bus = createInProcessBus();
  const sent: AdminMessage[] = [];
  const changes = createLiveChanges(bus, (message) => sent.push(message));
  return { bus, sent, changes };
}

const orderTopics = ["orders", "payment_issues", "deliveries", "figures"];

test("the first change is sent at once, and those of the next 250 ms in one message", () => {
  const { bus, sent } = setUp();
  bus.publish({ topic: "order", id: "a", version: 1 });
  vi.advanceTimersByTime(1);
  expect(sent).toEqual([{ type: "changed", data: { topics: orderTopics } }]);
  for (const id of ["b", "c", "b"]) bus.publish({ topic: "order", id, version: 2 });
  bus.publish({ topic: "catalogue" });
  vi.advanceTimersByTime(248);
  expect(sent).toHaveLength(1);
  vi.advanceTimersByTime(2);
  expect(sent.slice(1)).toEqual([{ type: "changed", data: { topics: [...orderTopics, "items"] } }]);
});

test("at most four messages a second are sent", () => {
  const { bus, sent } = setUp();
  for (let at = 0; at < 1_000; at += 1) {
    bus.publish({ topic: "order", id: `order ${at}`, version: 1 });
    vi.advanceTimersByTime(1);
  }
  expect(sent.length).toBeGreaterThan(2);
  expect(sent.length).toBeLessThanOrEqual(5);
});

test("a gap of the bus affects every topic", () => {
  const { bus, sent } = setUp();
  bus.publish({ topic: "gap" });
  vi.advanceTimersByTime(1);
  expect(sent).toEqual([{ type: "changed", data: { topics: [...adminTopics] } }]);
});

test("a change that affects no topic is not sent", () => {
  const { bus, sent } = setUp();
  bus.publish({ topic: "order-keys" });
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual([]);
});

test("nothing is sent after close", () => {
  const { bus, sent, changes } = setUp();
  bus.publish({ topic: "shop" });
  changes.close();
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual([]);
});
