import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { storeItems } from "../../apps/server/src/modules/catalogue/item-repository.ts";
import {
  findOrder,
  findState,
  listEvents,
} from "../../apps/server/src/modules/orders/order-repository.ts";
import { createMoveOrder } from "../../apps/server/src/modules/payments/hooks/move-order.ts";
import { findIssuesOfOrder } from "../../apps/server/src/modules/payments/issues/issue-repository.ts";
import { anOrder, aPaidLoan, aStoredItem } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { useCasesOn } from "../harness/use-cases.ts";

describe.each(databaseKinds)("concurrent writers on $name", (kind) => {
  const shop = useDatabase(kind);

  test("that place orders under one key create one order, and all get its answer", async () => {
    await shop.within((unit) => storeItems(unit, [aStoredItem({ id: "moka-pot" })]));
    const [one, two] = [
      useCasesOn(shop.database).placeOrder,
      useCasesOn(shop.secondConnection).placeOrder,
    ];
    for (let round = 0; round < 10; round += 1) {
      const request = { body: anOrder(), idempotencyKey: randomUUID() };
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? one : two)(request)),
      );
      const placed = outcomes.filter(({ kind }) => kind === "placed");
      expect(placed).toHaveLength(1);
      const answers = outcomes.map((outcome) => {
        if (outcome.kind === "placed" || outcome.kind === "repeated") return outcome.order;
        throw new Error(`the order was answered ${outcome.kind}`);
      });
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect((await listEvents(shop.database.db, answers[0]?.id ?? "")).length).toBe(1);
    }
  });

  test("that place orders under the same two keys in opposite order do not deadlock", async () => {
    const [one, two] = [
      useCasesOn(shop.database).placeOrder,
      useCasesOn(shop.secondConnection).placeOrder,
    ];
    for (let round = 0; round < 10; round += 1) {
      const keys = Array.from({ length: 8 }, () => randomUUID());
      const place = (placeOrder: typeof one, some: string[]) =>
        some.map((idempotencyKey) => placeOrder({ body: anOrder(), idempotencyKey }));
      const outcomes = await Promise.all([...place(one, keys), ...place(two, keys.toReversed())]);
      expect(outcomes.filter(({ kind }) => kind === "placed")).toHaveLength(8);
      expect(outcomes.filter(({ kind }) => kind === "repeated")).toHaveLength(8);
    }
  });

  test("are not rolled back by an error after their commit", async () => {
    const order = await shop.stored({ status: "PaymentProcessed" });
    const happened: string[] = [];
    const outcome = await shop.database.inTransaction(async (unit) => {
      unit.afterCommit(() => {
        throw new Error("nobody is listening");
      });
      unit.afterCommit(() => happened.push("the next"));
      return useCasesOn(shop.database).changeStatuses(unit, [
        { orderId: order.id, to: "Cancelled", by: { kind: "staff", name: "Ada" } },
      ]);
    });
    expect(outcome).toEqual([{ kind: "changed", from: "PaymentProcessed" }]);
    expect(happened).toEqual(["the next"]);
    expect((await findState(shop.database.db, order.id))?.status).toBe("Cancelled");
  });

  test("that change one order make each change once", async () => {
    const order = await shop.stored({ status: "PaymentProcessed" });
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const on = index % 2 === 0 ? shop.database : shop.secondConnection;
        const { changeStatuses } = useCasesOn(on);
        return on.inTransaction((unit) =>
          changeStatuses(unit, [
            { orderId: order.id, to: "Shipped", by: { kind: "staff", name: "Ada" } },
          ]),
        );
      }),
    );
    expect(outcomes.flat().filter(({ kind }) => kind === "changed")).toHaveLength(1);
    expect(await listEvents(shop.database.db, order.id)).toHaveLength(2);
    expect(await findOrder(shop.database.db, order.id)).toMatchObject({
      status: "Shipped",
      version: 2,
    });
  });

  const kindsOf = async (orderId: string) =>
    (await findIssuesOfOrder(shop.database.db, orderId)).map(({ kind }) => kind);

  test("that pay one order with two loans let one pay and record the other", async () => {
    for (let round = 0; round < 10; round += 1) {
      const order = await shop.stored();
      const loans = [aPaidLoan(order.id), aPaidLoan(order.id)];
      // A loan that was active is no extension of the other one.
      for (const loan of loans)
        await useCasesOn(shop.database).settle({ ...loan, state: "active" });
      await Promise.all(
        loans.map((loan, index) =>
          useCasesOn(index === 0 ? shop.database : shop.secondConnection).settle(loan),
        ),
      );
      expect(await findState(shop.database.db, order.id)).toMatchObject({
        status: "PaymentProcessed",
      });
      expect(await kindsOf(order.id)).toEqual(["duplicate"]);
    }
  });

  test("make one change and record no payment issue when they settle one loan", async () => {
    for (let round = 0; round < 10; round += 1) {
      const order = await shop.stored();
      const loan = aPaidLoan(order.id);
      await Promise.all(
        [shop.database, shop.secondConnection, shop.database].map((on) =>
          useCasesOn(on).settle(loan, order.id),
        ),
      );
      expect(await listEvents(shop.database.db, order.id)).toHaveLength(2);
      expect(await kindsOf(order.id)).toEqual([]);
    }
  });

  test("settle each of many loans once, in whatever sequence", async () => {
    const orders = await Promise.all(Array.from({ length: 60 }, () => shop.stored()));
    const loans = orders.map(({ id }) => aPaidLoan(id));
    const [one, two] = [useCasesOn(shop.database), useCasesOn(shop.secondConnection)];
    await Promise.all([
      ...loans.map((loan) => one.settle(loan)),
      ...loans.toReversed().map((loan) => two.settle(loan)),
    ]);
    for (const { id } of orders) {
      expect(await findState(shop.database.db, id)).toMatchObject({
        status: "PaymentProcessed",
        version: 2,
      });
    }
  });

  test("open a payment issue when one cancels an order and the other settles its payout", async () => {
    const ends = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const order = await shop.stored();
      const move = createMoveOrder({
        ...useCasesOn(shop.secondConnection),
        database: shop.secondConnection,
        askAboutLoans: async () => [],
      });
      const cancel = move({
        orderId: order.id,
        to: "Cancelled",
        by: { kind: "staff", name: "Ada" },
      });
      await Promise.all([cancel, useCasesOn(shop.database).settle(aPaidLoan(order.id))]);
      const events = (await listEvents(shop.database.db, order.id)).map(
        ({ to_status }) => to_status,
      );
      const issues = await kindsOf(order.id);
      ends.add(`${events.join(" ")}; ${issues.join(" ")}`);
    }
    const allowed = [
      "Pending PaymentProcessed Cancelled; paid-after-cancel",
      "Pending Cancelled; paid-after-cancel",
    ];
    expect([...ends].filter((end) => !allowed.includes(end))).toEqual([]);
  });

  test("that bind one loan to two orders bind it to one", async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, two] = [await shop.stored(), await shop.stored()];
      const id = randomUUID();
      await Promise.all([
        useCasesOn(shop.database).settle(aPaidLoan(one.id, { id })),
        useCasesOn(shop.secondConnection).settle(aPaidLoan(two.id, { id })),
      ]);
      const statuses = await Promise.all(
        [one, two].map((order) => findState(shop.database.db, order.id)),
      );
      expect(statuses.map((order) => order?.status).sort()).toEqual([
        "PaymentProcessed",
        "Pending",
      ]);
    }
  });
});
