import { describe, expect, test } from "vitest";
import { retryWaiting } from "../../apps/server/src/platform/outbox/change-deliveries.ts";
import type { AttemptResult, Channel } from "../../apps/server/src/platform/outbox/channel.ts";
import { createOutages, readServiceState } from "../../apps/server/src/platform/outbox/outages.ts";
import { HOUR } from "../../apps/server/src/platform/scheduling/clock.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { aChannel, aWorker, delivered, emitEventsOn, recorder } from "../harness/outbox.ts";
import { waitFor } from "../harness/wait-for.ts";

const unreachable: AttemptResult = { kind: "retry", answer: "connection refused", isOutage: true };
const refusedForGood: AttemptResult = {
  kind: "failed",
  answer: "550 no such mailbox",
  isRefusal: true,
};
const refused: AttemptResult = { kind: "retry", answer: "451 try later" };

describe.each(databaseKinds)("outages of a delivery service on $name", (kind) => {
  const used = useDatabase(kind);

  /**
   * A process that delivers to `service` with a retry delay of an hour. The test sets the service's
   * responses.
   */
  function start(
    service: string,
    answer: () => AttemptResult | Promise<AttemptResult>,
    { database = used.database } = {},
  ) {
    const seen = recorder(answer);
    const changes: string[] = [];
    const errors: unknown[] = [];
    const channel: Channel = aChannel({
      name: service,
      deliver: seen.deliver,
      retryDelays: Array(14).fill(HOUR),
    });
    const outages = createOutages({
      database,
      service,
      channels: [service],
      onBegin: (why) => changes.push(`begin: ${why}`),
      onEnd: () => changes.push("end"),
      wake: () => worker.wake(),
      onError: (error) => errors.push(error),
    });
    const worker = aWorker(database, [outages.observe(channel)], { poll: 20 });
    worker.start();
    return {
      seen,
      changes,
      errors,
      outages,
      emitEvents: (...subjects: string[]) =>
        emitEventsOn(
          database,
          [channel],
          subjects.map((subject) => ({ type: "order.paid", subject })),
          worker.wake,
        ),
      async stop() {
        await worker.stop();
        expect([...errors, ...worker.errors]).toEqual([]);
      },
    };
  }

  const rowsOf = (channel: string) =>
    used.database.db
      .selectFrom("outbox")
      .selectAll()
      .where("channel", "=", channel)
      .orderBy("position")
      .execute();
  const count = async (channel: string, state: string) =>
    (await rowsOf(channel)).filter((row) => row.state === state).length;
  const many = Array.from({ length: 30 }, (_, n) => `order ${n}`);

  test("are reported once, and all waiting deliveries are sent after the first success", async () => {
    let isDown = true;
    const process = start("mail", () => (isDown ? unreachable : delivered));
    await process.emitEvents(...many);
    await waitFor("the attempts", async () =>
      (await rowsOf("mail")).every(({ answer }) => answer !== null),
    );
    await waitFor(
      "the outage",
      async () => (await readServiceState(used.database.db, "mail")) === "away",
    );
    isDown = false;
    await process.emitEvents("the first success");
    await waitFor("all of them", async () => (await count("mail", "delivered")) === 31);
    expect(process.changes).toEqual(["begin: connection refused", "end"]);
    expect(await readServiceState(used.database.db, "mail")).toBe("ok");
    await process.stop();
  });

  test("two processes report one outage, and a success in one sends the waiting deliveries of both", async () => {
    let isDown = true;
    const answer = () => (isDown ? unreachable : delivered);
    const one = start("shared", answer);
    const other = start("shared", answer, { database: used.secondConnection });
    await one.emitEvents(...many);
    await other.emitEvents("another");
    await waitFor("the attempts", async () =>
      (await rowsOf("shared")).every((row) => row.answer !== null),
    );
    isDown = false;
    await other.emitEvents("the first success");
    await waitFor("all of them", async () => (await count("shared", "delivered")) === 32);
    await waitFor("the end", () => [...one.changes, ...other.changes].includes("end"));
    expect([...one.changes, ...other.changes].toSorted()).toEqual([
      "begin: connection refused",
      "end",
    ]);
    await one.stop();
    await other.stop();
  });

  test("temporary refusals of three new deliveries in a row are an outage, refusals of their retries are not", async () => {
    let answer: AttemptResult = refused;
    const process = start("refusing", () => answer);
    await process.emitEvents("a", "b");
    await waitFor("the refusals", async () =>
      (await rowsOf("refusing")).every((row) => row.answer !== null),
    );
    const again = () =>
      used.database.inTransaction((unit) => retryWaiting(unit, ["refusing"], used.database.now()));
    await again();
    await waitFor("them again", () => process.seen.begun.length >= 4);
    expect(process.changes).toEqual([]);
    await process.emitEvents("c");
    await waitFor("the outage", () => process.changes.length > 0);
    answer = delivered;
    await process.emitEvents("d");
    await waitFor("all of them", async () => (await count("refusing", "delivered")) === 4);
    expect(process.changes).toEqual(["begin: 451 try later", "end"]);
    await process.stop();
  });

  test("a waiting delivery is retried at once on request, but not one that is being attempted", async () => {
    const blocked = Promise.withResolvers<AttemptResult>();
    const process = start("flushed", () =>
      process.seen.begun.length === 1 ? refused : blocked.promise,
    );
    await process.emitEvents("a");
    await waitFor(
      "the refusal",
      async () => (await rowsOf("flushed"))[0]?.answer === refused.answer,
    );
    const again = () =>
      used.database.inTransaction((unit) => retryWaiting(unit, ["flushed"], used.database.now()));
    expect(await again()).toBe(1);
    await waitFor("the second attempt", () => process.seen.begun.length === 2);
    expect(await again()).toBe(0);
    blocked.resolve(delivered);
    await waitFor("its end", async () => (await count("flushed", "delivered")) === 1);
    await process.stop();
  });

  test("an outage ends when the service permanently refuses a delivery, but not when one fails unsent", async () => {
    let answer: AttemptResult = unreachable;
    const process = start("answering", () => answer);
    await process.emitEvents("a");
    await waitFor("the outage", () => process.changes.length > 0);
    answer = { kind: "failed", answer: "no recipient" };
    await process.emitEvents("b");
    await waitFor("its end", async () => (await count("answering", "failed")) === 1);
    expect(await readServiceState(used.database.db, "answering")).toBe("away");
    answer = refusedForGood;
    await process.emitEvents("c");
    await waitFor("all of them", async () => (await count("answering", "failed")) === 3);
    expect(process.changes).toEqual(["begin: connection refused", "end"]);
    await process.stop();
  });

  test("attempts outside the outbox begin and end an outage, but their temporary refusals do not begin one", async () => {
    const process = start("outside", () => delivered);
    for (let again = 0; again < 5; again += 1) process.outages.note(refused);
    process.outages.note(unreachable);
    await waitFor("the outage", () => process.changes.length > 0);
    process.outages.note(refusedForGood);
    await waitFor("the end", () => process.changes.length > 1);
    expect(process.changes).toEqual(["begin: connection refused", "end"]);
    await process.stop();
  });

  test("a retry locks the partitions of all channels at once, so that it cannot deadlock with ending attempts", async () => {
    const channels = ["z-first", "a-second"];
    await emitEventsOn(
      used.database,
      channels.map((name) => aChannel({ name })),
      [{ type: "order.paid", subject: "order" }],
    );
    const locked: string[][] = [];
    await used.database.inTransaction((unit) => {
      const lock = (...names: string[]) => {
        locked.push(names.toSorted());
        return unit.lock(...names);
      };
      return retryWaiting({ ...unit, lock }, channels, used.database.now());
    });
    expect(locked).toEqual([["outbox a-second target", "outbox z-first target"]]);
  });
});
