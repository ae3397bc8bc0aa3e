import type { OrderStatus } from "@keepsats/domain";
import { describe, expect, test } from "vitest";
import { createAmendOrder } from "../../apps/server/src/modules/orders/changing/amend-order.ts";
import { createCorrections } from "../../apps/server/src/modules/orders/changing/correct-order.ts";
import {
  findOrder,
  findState,
  listEvents,
} from "../../apps/server/src/modules/orders/order-repository.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { createInProcessBus } from "../../apps/server/src/platform/events/bus.ts";
import type { DomainEvent } from "../../apps/server/src/platform/outbox/emit-events.ts";
import { anAddress } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { useCasesOn } from "../harness/use-cases.ts";

const address = anAddress({ street: "1 New Street" });
const customer = { kind: "customer" } as const;

function correctOn(database: Database) {
  const emitted: DomainEvent[] = [];
  const published: unknown[] = [];
  const bus = createInProcessBus();
  bus.subscribe((change) => published.push(change));
  const { correctAddress } = createCorrections({
    database,
    amendOrder: createAmendOrder({
      bus,
      now: () => 7,
      emitEvents: async (_unit, events) => void emitted.push(...events),
    }),
  });
  return { correctAddress, emitted, published };
}

describe.each(databaseKinds)("a corrected shipping address on $name", (kind) => {
  const shop = useDatabase(kind);

  test.each<OrderStatus>(["Pending", "PaymentProcessing", "PaymentProcessed"])(
    "is stored while the order is %s, with the previous one in its history, and emitted",
    async (status) => {
      const order = await shop.stored({ status });
      const { correctAddress, emitted, published } = correctOn(shop.database);
      expect(await correctAddress({ orderId: order.id, address, by: customer })).toEqual({
        kind: "corrected",
      });
      expect(await findOrder(shop.database.db, order.id)).toEqual({
        ...order,
        shipping_address: address,
        version: 2,
      });
      const [, event] = await listEvents(shop.database.db, order.id);
      expect(event).toMatchObject({
        kind: "address-corrected",
        by: "customer",
        from_status: status,
        at: 7,
      });
      expect(JSON.parse(event?.data ?? "")).toEqual({ previous: order.shipping_address });
      const data = { address_of_paid: status === "PaymentProcessed" };
      expect(emitted).toEqual([{ type: "order.corrected", subject: order.id, data }]);
      await expect.poll(() => published).toEqual([{ topic: "order", id: order.id, version: 2 }]);
    },
  );

  test("that equals the previous one changes nothing", async () => {
    const { id, shipping_address } = await shop.stored();
    const { correctAddress, emitted } = correctOn(shop.database);
    const outcome = await correctAddress({ orderId: id, address: shipping_address, by: customer });
    expect(outcome).toEqual({ kind: "unchanged" });
    expect(await listEvents(shop.database.db, id)).toHaveLength(1);
    expect(emitted).toEqual([]);
  });

  test.each<OrderStatus>(["Shipped", "Delivered", "Cancelled"])(
    "is refused once the order is %s",
    async (status) => {
      const order = await shop.stored({ status });
      const { correctAddress, emitted } = correctOn(shop.database);
      expect(await correctAddress({ orderId: order.id, address, by: customer })).toMatchObject({
        code: "correction_refused",
        details: { current_status: status },
      });
      expect(await findOrder(shop.database.db, order.id)).toEqual(order);
      expect(emitted).toEqual([]);
    },
  );

  test("is refused in a status of a newer version", async () => {
    const { id } = await shop.stored();
    await shop.testDatabase.run(`UPDATE orders SET status = 'Returned' WHERE id = '${id}'`);
    const { correctAddress } = correctOn(shop.database);
    expect(await correctAddress({ orderId: id, address, by: customer })).toMatchObject({
      code: "correction_refused",
      details: { current_status: "Returned" },
    });
  });

  test("of an unknown order is not found", async () => {
    const { correctAddress } = correctOn(shop.database);
    const orderId = crypto.randomUUID();
    expect(await correctAddress({ orderId, address, by: customer })).toBeUndefined();
  });

  test("and a shipment at the same moment: either the parcel has the new address, or the correction is refused", async () => {
    const { correctAddress } = correctOn(shop.database);
    const { changeStatuses } = useCasesOn(shop.secondConnection);
    for (let round = 0; round < 20; round += 1) {
      const { id, shipping_address } = await shop.stored({ status: "PaymentProcessed" });
      const ship = shop.secondConnection.inTransaction((unit) =>
        changeStatuses(unit, [{ orderId: id, to: "Shipped", by: { kind: "staff", name: "Ada" } }]),
      );
      const [outcome, [shipped]] = await Promise.all([
        correctAddress({ orderId: id, address, by: customer }),
        ship,
      ]);
      expect(shipped).toEqual({ kind: "changed", from: "PaymentProcessed" });
      const events = (await listEvents(shop.database.db, id)).map(({ kind }) => kind);
      const order = await findOrder(shop.database.db, id);
      if (outcome?.kind === "corrected") {
        expect(events).toEqual(["placed", "address-corrected", "moved"]);
        expect(order?.shipping_address).toEqual(address);
      } else {
        expect(outcome).toMatchObject({
          code: "correction_refused",
          details: { current_status: "Shipped" },
        });
        expect(order?.shipping_address).toEqual(shipping_address);
      }
      expect(await findState(shop.database.db, id)).toMatchObject({
        status: "Shipped",
        version: events.length,
      });
    }
  });
});
