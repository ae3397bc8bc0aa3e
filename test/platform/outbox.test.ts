import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { Overloaded } from "../../apps/server/src/platform/database/faults.ts";
import { retryDelivery } from "../../apps/server/src/platform/outbox/change-deliveries.ts";
import type { AttemptResult } from "../../apps/server/src/platform/outbox/channel.ts";
import { takeDue } from "../../apps/server/src/platform/outbox/queue.ts";
import { DAY } from "../../apps/server/src/platform/scheduling/clock.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import {
  aChannel,
  aCleanup,
  aWorker,
  delivered,
  emitEventsOn,
  recorder,
} from "../harness/outbox.ts";
import { waitFor } from "../harness/wait-for.ts";

const retry: AttemptResult = { kind: "retry", answer: "busy" };

describe.each(databaseKinds)("the outbox on $name", (kind) => {
  const used = useDatabase(kind);
  const rowsOf = (channel: string) =>
    used.database.db
      .selectFrom("outbox")
      .selectAll()
      .where("channel", "=", channel)
      .orderBy("position")
      .execute();
  const noneWaits = (channel: string) => async () =>
    (await rowsOf(channel)).every(({ state }) => state !== "waiting");

  test("delivers an event at once, without waiting for the next poll", async () => {
    const seen = recorder(() => delivered);
    const channel = aChannel({ name: "at-once", deliver: seen.deliver });
    const worker = aWorker(used.database, [channel], { poll: 60_000 });
    worker.start();
    await emitEventsOn(
      used.database,
      [channel],
      [{ type: "order.paid", subject: "a", data: { from: "Pending" } }],
      worker.wake,
    );
    await waitFor("the delivery", noneWaits("at-once"));
    await worker.stop();
    expect(seen.begun).toEqual([
      expect.objectContaining({
        type: "order.paid",
        subject: "a",
        data: { from: "Pending" },
        attempts: 0,
      }),
    ]);
    expect(await rowsOf("at-once")).toEqual([
      expect.objectContaining({ state: "delivered", attempts: 1, answer: "ok", leased_until: 0 }),
    ]);
    expect(worker.errors).toEqual([]);
  });

  test("delivers the events of one subject one after another, in their order, also after a failure", async () => {
    const seen = recorder(async ({ type, attempts }) => {
      await pause(Math.random() * 5);
      return type === "order.placed" && attempts === 0 ? retry : delivered;
    });
    const channel = aChannel({ name: "in-order", deliver: seen.deliver, retryDelays: [300] });
    const worker = aWorker(used.database, [channel]);
    const types = ["order.placed", "order.paid", "order.shipped"] as const;
    await emitEventsOn(
      used.database,
      [channel],
      types.map((type) => ({ type, subject: "a" })),
    );
    worker.start();
    await waitFor("the deliveries", noneWaits("in-order"));
    await worker.stop();
    expect(seen.begun.map(({ type }) => type)).toEqual(["order.placed", ...types]);
    expect(worker.errors).toEqual([]);
  });

  test("delivers each subject and target independently of others", async () => {
    const blocked = Promise.withResolvers<AttemptResult>();
    const seen = recorder(({ subject, target }) =>
      subject === "stuck" && target === "one" ? blocked.promise : delivered,
    );
    const channel = aChannel({
      name: "apart",
      targetsOf: () => ["one", "two"],
      deliver: seen.deliver,
    });
    const worker = aWorker(used.database, [channel]);
    await emitEventsOn(
      used.database,
      [channel],
      ["stuck", "free"].map((subject) => ({ type: "order.paid", subject })),
    );
    worker.start();
    await waitFor("three deliveries", async () => {
      const rows = await rowsOf("apart");
      return rows.filter(({ state }) => state === "delivered").length === 3;
    });
    blocked.resolve(delivered);
    await waitFor("the last one", noneWaits("apart"));
    await worker.stop();
  });

  test("keeps the deliveries of a channel that is off, and makes them once it is on", async () => {
    let isOn = true;
    const seen = recorder(() => delivered);
    const channel = aChannel({ name: "off-and-on", deliver: seen.deliver, isOn: () => isOn });
    const other = aChannel({ name: "always-on" });
    await emitEventsOn(used.database, [channel, other], [{ type: "order.paid", subject: "a" }]);
    isOn = false;
    const worker = aWorker(used.database, [channel, other]);
    worker.start();
    await waitFor("the other channel", noneWaits("always-on"));
    expect(seen.begun).toEqual([]);
    expect(await rowsOf("off-and-on")).toMatchObject([{ state: "waiting", attempts: 0 }]);
    isOn = true;
    worker.wake();
    await waitFor("the delivery", noneWaits("off-and-on"));
    await worker.stop();
    expect(seen.begun).toMatchObject([{ attempts: 0 }]);
  });

  test("does not let one target use up the attempts per second of all targets", async () => {
    const seen = recorder(({ target }) => (target === "a-dead" ? retry : delivered));
    const channel = aChannel({
      name: "fair",
      targetsOf: () => ["a-dead", "b"],
      deliver: seen.deliver,
      retryDelays: Array(50).fill(1),
      perSecond: 20,
    });
    const worker = aWorker(used.database, [channel]);
    await emitEventsOn(
      used.database,
      [channel],
      Array.from({ length: 20 }, (_, n) => ({ type: "order.paid", subject: String(n) })),
    );
    worker.start();
    await waitFor(
      "the deliveries to b",
      () => seen.begun.filter(({ target }) => target === "b").length === 20,
    );
    await worker.stop();
    expect(seen.begun.filter(({ target }) => target === "a-dead").length).toBeLessThan(60);
  });

  test("retries a failed attempt, and fails after the last delay with the last answer", async () => {
    const seen = recorder(({ attempts }) => {
      if (attempts === 0) throw new Error("the connection was closed");
      return { kind: "retry", answer: `answer ${attempts}` };
    });
    const channel = aChannel({ name: "failing", deliver: seen.deliver, retryDelays: [20, 20] });
    const worker = aWorker(used.database, [channel]);
    await emitEventsOn(used.database, [channel], [{ type: "order.paid", subject: "a" }]);
    worker.start();
    await waitFor("the end", noneWaits("failing"));
    await worker.stop();
    expect(seen.begun.map(({ attempts }) => attempts)).toEqual([0, 1, 2]);
    expect(await rowsOf("failing")).toEqual([
      expect.objectContaining({ state: "failed", answer: "answer 2", attempts: 3 }),
    ]);
  });

  test("distinguishes skipped deliveries from delivered and failed ones", async () => {
    const channel = aChannel({
      name: "ends",
      deliver: async ({ type }) =>
        type === "order.erased"
          ? { kind: "skipped", answer: "erased" }
          : { kind: "failed", answer: "550 unknown" },
    });
    const worker = aWorker(used.database, [channel]);
    await emitEventsOn(
      used.database,
      [channel],
      [
        { type: "order.erased", subject: "a" },
        { type: "order.paid", subject: "a" },
      ],
    );
    worker.start();
    await waitFor("the ends", noneWaits("ends"));
    await worker.stop();
    const states = (await rowsOf("ends")).map(({ state, answer }) => [state, answer]);
    expect(states).toEqual([
      ["skipped", "erased"],
      ["failed", "550 unknown"],
    ]);
    expect(worker.failed()).toBe(1);
  });

  test("delivers what a killed process had leased after the lease ends, and not before", async () => {
    const seen = recorder(() => delivered);
    const channel = aChannel({ name: "killed", deliver: seen.deliver });
    await emitEventsOn(
      used.database,
      [channel],
      [
        { type: "order.placed", subject: "a" },
        { type: "order.paid", subject: "a" },
      ],
    );
    const partition = { channel: "killed", target: "target" };
    // One clock: those of two connections differ by up to the duration of a query.
    const killed = { ...used.secondConnection, now: used.database.now };
    const options = { limit: 8, lease: 400, maxAttempts: 3, onDeliveryFailed: () => {} };
    const taken = await takeDue(killed, partition, options);
    expect(taken.rows.map(({ type }) => type)).toEqual(["order.placed"]);
    const worker = aWorker(used.database, [channel]);
    worker.start();
    await waitFor("the deliveries", noneWaits("killed"));
    await worker.stop();
    expect(seen.begun.map(({ type, attempts }) => [type, attempts])).toEqual([
      ["order.placed", 1],
      ["order.paid", 0],
    ]);
    const [first] = await rowsOf("killed");
    expect(first?.ended_at).toBeGreaterThanOrEqual(taken.rows[0]?.leased_until ?? Infinity);
  });

  test("fails a delivery that kills each process that attempts it, and continues with the next of its subject", async () => {
    const seen = recorder(() => delivered);
    const channel = aChannel({ name: "deadly", deliver: seen.deliver, retryDelays: [1] });
    await emitEventsOn(
      used.database,
      [channel],
      [
        { type: "order.placed", subject: "a" },
        { type: "order.paid", subject: "a" },
      ],
    );
    await used.testDatabase.run(
      "UPDATE outbox SET attempts = 5 WHERE channel = 'deadly' AND type = 'order.placed'",
    );
    const worker = aWorker(used.database, [channel]);
    worker.start();
    await waitFor("the end", noneWaits("deadly"));
    await worker.stop();
    expect(seen.begun.map(({ type }) => type)).toEqual(["order.paid"]);
    expect(await rowsOf("deadly")).toEqual([
      expect.objectContaining({
        state: "failed",
        attempts: 5,
        answer: expect.stringMatching(/did not end/),
      }),
      expect.objectContaining({ state: "delivered" }),
    ]);
    expect(worker.failed()).toBe(1);
    expect(worker.errors).toEqual([]);
  });

  test("delivers events that were stored before the clock was set back by hours, with their own time", async () => {
    const channel = aChannel({ name: "set-back" });
    const now = () => used.database.now() + 5 * 60 * 60_000;
    await emitEventsOn(
      { ...used.database, now },
      [channel],
      [{ type: "order.paid", subject: "a" }],
    );
    const [before] = await rowsOf("set-back");
    const worker = aWorker(used.database, [channel]);
    const cleanup = aCleanup(used.database, [channel]);
    worker.start();
    cleanup.start();
    await waitFor("the delivery", noneWaits("set-back"));
    await Promise.all([worker.stop(), cleanup.stop()]);
    expect((await rowsOf("set-back"))[0]?.created_at).toBe(before?.created_at);
    expect([...worker.errors, ...cleanup.errors]).toEqual([]);
  });

  test("does not attempt a delivery twice if the clock is set back during the attempt", async () => {
    const channel = aChannel({ name: "in-progress" });
    const future = used.database.now() + 5 * 60 * 60_000;
    await emitEventsOn(
      { ...used.database, now: () => future },
      [channel],
      ["taken", "waits"].map((subject) => ({ type: "order.paid", subject })),
    );
    const lease = used.database.now() + 25_000;
    await used.testDatabase.run(
      `UPDATE outbox SET attempts = 1, leased_until = ${lease}, next_at = ${lease} WHERE channel = 'in-progress' AND subject = 'taken'`,
    );
    const rowOf = async (subject: string) =>
      (await rowsOf("in-progress")).find((row) => row.subject === subject);
    const taken = await rowOf("taken");
    const cleanup = aCleanup(used.database, [channel]);
    cleanup.start();
    await waitFor("the repair", async () => (await rowOf("waits"))?.next_at !== future);
    await cleanup.stop();
    expect(await rowOf("taken")).toEqual(taken);
  });

  test("skips deliveries that have waited three days for a disabled channel, and no others", async () => {
    const [off, on] = [aChannel({ name: "off" }), aChannel({ name: "on" })];
    for (const [subject, age] of [
      ["old", 4 * DAY],
      ["new", 2 * DAY],
    ] as const) {
      const now = () => used.database.now() - age;
      await emitEventsOn({ ...used.database, now }, [off, on], [{ type: "order.paid", subject }]);
    }
    const cleanup = aCleanup(used.database, [on]);
    cleanup.start();
    await waitFor("the end", async () => (await rowsOf("off"))[0]?.state !== "waiting");
    await cleanup.stop();
    expect(cleanup.errors).toEqual([]);
    expect((await rowsOf("off")).map(({ state, answer }) => [state, answer])).toEqual([
      ["skipped", "not sent: the shop has no off any more"],
      ["waiting", null],
    ]);
    expect((await rowsOf("on")).map(({ state }) => state)).toEqual(["waiting", "waiting"]);
  });

  // SQLite has one writer, so nothing can be repeated while the cleanup deletes.
  test.skipIf(kind.name === "SQLite")(
    "keeps an old delivery that is retried while the cleanup deletes it",
    async () => {
      const channel = aChannel({ name: "repeated" });
      await emitEventsOn(used.database, [channel], [{ type: "order.paid", subject: "a" }]);
      await used.testDatabase.run(
        "UPDATE outbox SET state = 'delivered', ended_at = 1 WHERE channel = 'repeated'",
      );
      const id = (await rowsOf("repeated"))[0]?.id ?? "";
      const cleanup = aCleanup(used.database, [channel]);
      await used.secondConnection.inTransaction(async (unit) => {
        await retryDelivery(unit, id, used.secondConnection.now());
        cleanup.start();
        await waitFor("the cleanup to wait for the row", async () => {
          const waiting = await used.testDatabase.run("SELECT 1 FROM pg_locks WHERE NOT granted");
          return waiting.length > 0;
        });
      });
      await cleanup.stop();
      expect(cleanup.errors).toEqual([]);
      expect(await rowsOf("repeated")).toEqual([
        expect.objectContaining({ state: "waiting", manual_retries: 1 }),
      ]);
    },
  );

  test("makes no attempt twice with two workers under load, and keeps the order of each subject", async () => {
    const running = new Set<string>();
    const delivered = new Map<string, number[]>();
    const faults: string[] = [];
    const channel = aChannel({
      name: "race",
      targetsOf: () => ["one", "two"],
      retryDelays: Array(20).fill(10),
      async deliver({ id, target, subject, data }) {
        const queue = `${target} ${subject}`;
        if (running.has(queue)) faults.push(`two attempts of ${queue} at the same time`);
        running.add(queue);
        await pause(Math.random() * 4);
        running.delete(queue);
        if (Math.random() < 0.2) return retry;
        delivered.set(queue, [...(delivered.get(queue) ?? []), Number(data.number)]);
        return { kind: "delivered", answer: id };
      },
    });
    const workers = [used.database, used.secondConnection].map((database) =>
      aWorker(database, [channel]),
    );
    for (const worker of workers) worker.start();
    for (let number = 0; number < 12; number += 1) {
      const subjects = ["a", "b", "c", "d", "e", "f"];
      await emitEventsOn(
        used.database,
        [channel],
        subjects.map((subject) => ({ type: "order.paid", subject, data: { number } })),
        () => {
          for (const worker of workers) worker.wake();
        },
      );
    }
    await waitFor("the deliveries", noneWaits("race"));
    for (const worker of workers) await worker.stop();
    expect(faults).toEqual([]);
    expect(delivered.size).toBe(12);
    for (const numbers of delivered.values())
      expect(numbers).toEqual(Array.from({ length: 12 }, (_, n) => n));
    expect(workers.flatMap(({ errors }) => errors)).toEqual([]);
  });

  test("waits briefly for attempts when a worker stops, then aborts them and counts none of them", async () => {
    const seen = recorder(({ subject }, signal) =>
      subject === "quick"
        ? pause(100).then(() => delivered)
        : new Promise((_, reject) =>
            signal.addEventListener("abort", () => reject(new Error("aborted"))),
          ),
    );
    const channel = aChannel({ name: "stopping", deliver: seen.deliver });
    const worker = aWorker(used.database, [channel], { stop: 300 });
    await emitEventsOn(
      used.database,
      [channel],
      ["quick", "endless"].map((subject) => ({ type: "order.paid", subject })),
    );
    worker.start();
    await waitFor("both to begin", () => seen.begun.length === 2);
    await worker.stop();
    const rows = await rowsOf("stopping");
    expect(
      rows.map(({ state, attempts, leased_until }) => [state, attempts, leased_until]),
    ).toEqual([
      ["delivered", 1, 0],
      ["waiting", 0, 0],
    ]);
    const endless = rows.find(({ subject }) => subject === "endless");
    expect(endless?.next_at).toBeLessThanOrEqual(used.database.now());
  });

  test("counts an attempt that does not end as failed at the timeout", async () => {
    const seen = recorder(({ attempts }) =>
      attempts === 0 ? new Promise<AttemptResult>(() => {}) : delivered,
    );
    const channel = aChannel({ name: "late", deliver: seen.deliver, timeout: 50 });
    const worker = aWorker(used.database, [channel]);
    await emitEventsOn(used.database, [channel], [{ type: "order.paid", subject: "a" }]);
    worker.start();
    await waitFor("the delivery", noneWaits("late"));
    await worker.stop();
    expect(seen.begun).toHaveLength(2);
  });

  test("stores a result again that the database did not accept, instead of delivering twice", async () => {
    const seen = recorder(() => delivered);
    const channel = aChannel({ name: "unstored", deliver: seen.deliver });
    let failures = 2;
    const database: Database = {
      ...used.database,
      async inTransaction(work) {
        if (seen.begun.length > 0 && failures-- > 0) throw new Overloaded("away");
        return used.database.inTransaction(work);
      },
    };
    const worker = aWorker(database, [channel], { lease: 5_000 });
    await emitEventsOn(used.database, [channel], [{ type: "order.paid", subject: "a" }]);
    worker.start();
    await waitFor("the result", noneWaits("unstored"));
    await worker.stop();
    expect(seen.begun).toHaveLength(1);
    expect(worker.errors.map(String)).toEqual(Array(2).fill("Overloaded: away"));
  });

  test("an attempt that throws at once counts as failed, and does not end the process at its timeout", async () => {
    const deliver = () => {
      throw new Error("broken");
    };
    const channel = aChannel({ name: "broken", deliver, timeout: 50, retryDelays: [] });
    const worker = aWorker(used.database, [channel]);
    await emitEventsOn(used.database, [channel], [{ type: "order.paid", subject: "a" }]);
    worker.start();
    await waitFor("the failure", noneWaits("broken"));
    // Vitest fails on the unhandled rejection that would end a server.
    await pause(100);
    expect(await rowsOf("broken")).toMatchObject([{ state: "failed", answer: "broken" }]);
    await worker.stop();
  });
});
