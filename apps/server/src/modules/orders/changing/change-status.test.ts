import type { OrderStatus } from "@keepsats/domain";
import { expect, test } from "vitest";
import { noEvents } from "../../../../../../test/harness/builders.ts";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import { kindOf } from "../../../../../../test/harness/outcomes.ts";
import { createInProcessBus } from "../../../platform/events/bus.ts";
import type { EmitEvents } from "../../../platform/outbox/emit-events.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { listEvents } from "../order-repository.ts";
import { createAmendOrder, createRecordFailedAttempt } from "./amend-order.ts";
import { createChangeStatuses, type StatusChange } from "./change-status.ts";

const used = useDatabase(sqlite);

async function placeAt(id: string, status: OrderStatus): Promise<void> {
  const empty = {
    customer_name: "",
    customer_email: "",
    shipping_address: "{}",
    billing_address: "{}",
  };
  await used.database.db
    .insertInto("orders")
    .values({ id, status, version: 1, attempt_failed: 0, total: 1, created_at: 1, ...empty })
    .execute();
}

/** Changes statuses and records the messages, the callbacks and the locks. */
async function change(changes: readonly StatusChange[]) {
  const bus = createInProcessBus();
  const published: unknown[] = [];
  bus.subscribe((message) => published.push(message));
  const heard: unknown[] = [];
  const locks: string[][] = [];
  const changeStatuses = createChangeStatuses({
    bus,
    emitEvents: noEvents,
    restock: async () => new Set(),
    now: () => 100,
    onChanged: (one) => heard.push(one),
  });
  const outcomes = await used.database.inTransaction(async (unit) => {
    const lock: typeof unit.lock = (...keys) => {
      locks.push(keys);
      return unit.lock(...keys);
    };
    const outcomes = await changeStatuses({ ...unit, lock }, changes);
    expect([published, heard], "nothing is published before the commit").toEqual([[], []]);
    return outcomes;
  });
  return { outcomes, published, heard, locks };
}

async function newOrder(status: OrderStatus): Promise<string> {
  const id = crypto.randomUUID();
  await placeAt(id, status);
  return id;
}

const storedOrder = (id: string) =>
  used.database.db
    .selectFrom("orders")
    .select(["status", "version", "attempt_failed"])
    .where("id", "=", id)
    .executeTakeFirst();
const eventsOf = (id: string) =>
  used.database.db
    .selectFrom("order_events")
    .select(["version", "from_status", "to_status", "by", "reason", "at"])
    .where("order_id", "=", id)
    .orderBy("version")
    .execute();

test("each of many changes gets its own outcome", async () => {
  const [pending, paid, delivered] = [
    await newOrder("Pending"),
    await newOrder("PaymentProcessed"),
    await newOrder("Delivered"),
  ];
  const by = { kind: "staff", name: "Ada" } as const;
  const { outcomes } = await change([
    { orderId: pending, to: "Cancelled", by, expected: "PaymentProcessing" },
    { orderId: paid, to: "Shipped", by, expected: "PaymentProcessed" },
    { orderId: delivered, to: "Cancelled", by },
    { orderId: crypto.randomUUID(), to: "Cancelled", by },
    { orderId: delivered, to: "Delivered", by, expected: "Pending" },
  ]);
  expect(outcomes).toEqual([
    expect.objectContaining({
      code: "status_changed",
      details: expect.objectContaining({ current_status: "Pending" }),
    }),
    { kind: "changed", from: "PaymentProcessed" },
    new Refusal("transition_refused", {
      detail: "An order that is Delivered cannot become Cancelled.",
    }),
    { kind: "not-found" },
    { kind: "unchanged" },
  ]);
  expect(await storedOrder(pending)).toEqual({ status: "Pending", version: 1, attempt_failed: 0 });
  expect(await storedOrder(paid)).toEqual({ status: "Shipped", version: 2, attempt_failed: 0 });
  expect(await eventsOf(pending)).toEqual([]);
});

test("a change is stored with its event, and published after the commit", async () => {
  const id = await newOrder("PaymentProcessing");
  const move: StatusChange = {
    orderId: id,
    to: "Pending",
    by: { kind: "provider" },
    reason: "the loan was cancelled",
    attemptFailed: true,
  };
  const { published, heard } = await change([move]);
  expect(await storedOrder(id)).toEqual({ status: "Pending", version: 2, attempt_failed: 1 });
  expect(await eventsOf(id)).toEqual([
    {
      version: 2,
      from_status: "PaymentProcessing",
      to_status: "Pending",
      by: "provider",
      reason: "the loan was cancelled",
      at: 100,
    },
  ]);
  expect(published).toEqual([{ topic: "order", id, version: 2 }]);
  expect(heard).toEqual([{ ...move, from: "PaymentProcessing", age: 99 }]);
});

test("several changes of one order are applied in sequence", async () => {
  const id = await newOrder("PaymentProcessed");
  const { outcomes, published } = await change([
    { orderId: id, to: "Shipped", by: { kind: "staff", name: "Ada" } },
    { orderId: id, to: "Delivered", by: { kind: "staff", name: "Ada" } },
    { orderId: id, to: "Shipped", by: { kind: "staff", name: "Ada" } },
  ]);
  expect(outcomes.map(kindOf)).toEqual(["changed", "changed", "transition_refused"]);
  expect((await eventsOf(id)).map(({ to_status, reason }) => [to_status, reason])).toEqual([
    ["Shipped", null],
    ["Delivered", null],
  ]);
  expect(published).toHaveLength(2);
});

test("each order of a call gets its own change", async () => {
  const ids = [
    await newOrder("Pending"),
    await newOrder("Pending"),
    await newOrder("Pending"),
    await newOrder("Pending"),
  ];
  await used.database.db
    .updateTable("orders")
    .set({ version: 7 })
    .where("id", "=", ids[3] ?? "")
    .execute();
  const to = ["Cancelled", "PaymentProcessing", "PaymentProcessing", "PaymentProcessing"] as const;
  await change(
    ids.map((orderId, index) => ({
      orderId,
      to: to[index] ?? "Pending",
      by: { kind: "provider" },
      attemptFailed: index === 1,
    })),
  );
  expect(await Promise.all(ids.map(storedOrder))).toEqual([
    { status: "Cancelled", version: 2, attempt_failed: 0 },
    { status: "PaymentProcessing", version: 2, attempt_failed: 1 },
    { status: "PaymentProcessing", version: 2, attempt_failed: 0 },
    { status: "PaymentProcessing", version: 8, attempt_failed: 0 },
  ]);
});

test("orders are locked together before they are read", async () => {
  const [one, two] = [await newOrder("Pending"), await newOrder("Pending")];
  const move = (orderId: string) => ({
    orderId,
    to: "Cancelled" as const,
    by: { kind: "staff", name: "Ada" } as const,
  });
  expect((await change([move(one), move(two)])).locks).toEqual([[one, two]]);
});

test("each failed attempt is stored and published, and the domain event is emitted once", async () => {
  const [id, other] = [await newOrder("Pending"), await newOrder("Pending")];
  const bus = createInProcessBus();
  const published: unknown[] = [];
  bus.subscribe((message) => published.push(message));
  const emitted: unknown[] = [];
  const emitEvents: EmitEvents = async (_, some) => void emitted.push(...some);
  const recordFailedAttempt = createRecordFailedAttempt(
    createAmendOrder({ bus, now: () => 100, emitEvents }),
  );
  for (let time = 0; time < 2; time += 1)
    await used.database.inTransaction(async (unit) => {
      await recordFailedAttempt(unit, id, `loan ${time}: rejected`);
      expect(published).toHaveLength(time);
    });
  expect(published).toEqual([2, 3].map((version) => ({ topic: "order", id, version })));
  expect(emitted).toEqual([{ type: "order.payment_failed", subject: id }]);
  expect(await storedOrder(id)).toEqual({ status: "Pending", version: 3, attempt_failed: 1 });
  expect(await storedOrder(other)).toEqual({ status: "Pending", version: 1, attempt_failed: 0 });
  expect((await listEvents(used.database.db, id)).slice(-2)).toMatchObject(
    [0, 1].map((time) => ({
      kind: "attempt-failed",
      from_status: "Pending",
      to_status: "Pending",
      by: "provider",
      reason: `loan ${time}: rejected`,
      at: 100,
    })),
  );
});
