import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createAmendOrder } from "../../apps/server/src/modules/orders/changing/amend-order.ts";
import { createCorrections } from "../../apps/server/src/modules/orders/changing/correct-order.ts";
import { createAddNote } from "../../apps/server/src/modules/orders/changing/notes.ts";
import { findOrder, listEvents } from "../../apps/server/src/modules/orders/order-repository.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { createInProcessBus } from "../../apps/server/src/platform/events/bus.ts";
import { noEvents } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { kindOf } from "../harness/outcomes.ts";
import { useCasesOn } from "../harness/use-cases.ts";

const ada = { kind: "staff", name: "Ada" } as const;

function amendmentsOn(database: Database) {
  const bus = createInProcessBus();
  const amendOrder = createAmendOrder({ bus, now: () => 5, emitEvents: noEvents });
  return {
    noteOrder: createAddNote({ database, amendOrder }),
    ...createCorrections({ database, amendOrder }),
  };
}

describe.each(databaseKinds)("concurrent changes of an order on $name", (kind) => {
  const shop = useDatabase(kind);

  test("are all kept, each with its own version", async () => {
    const { id } = await shop.stored();
    const [here, there] = [amendmentsOn(shop.database), amendmentsOn(shop.secondConnection)];
    const texts = Array.from({ length: 20 }, (_, index) => `note ${index}`);
    const outcomes = await Promise.all(
      texts.map((text, index) =>
        (index % 2 === 0 ? here : there).noteOrder({ orderId: id, by: ada, text }),
      ),
    );
    expect(new Set(outcomes.map(kindOf))).toEqual(new Set(["noted"]));
    const events = await listEvents(shop.database.db, id);
    const kept = events.flatMap(({ kind, data }) =>
      kind === "noted" ? [JSON.parse(data ?? "").text] : [],
    );
    expect(kept.toSorted()).toEqual(texts.toSorted());
    expect(await findOrder(shop.database.db, id)).toMatchObject({ status: "Pending", version: 21 });
  });

  test("correct the shipment, and record who did it", async () => {
    const { id } = await shop.stored({ status: "Shipped", carrier: "DHL", tracking_number: "1" });
    const { correctShipment } = amendmentsOn(shop.database);
    const shipment = { tracking_number: "2", tracking_url: "https://dhl.example/2", carrier: null };
    expect(await correctShipment({ orderId: id, by: ada, shipment })).toEqual({
      kind: "corrected",
    });
    expect(await findOrder(shop.database.db, id)).toMatchObject({ ...shipment, version: 2 });
    expect((await listEvents(shop.database.db, id)).at(-1)).toMatchObject({
      kind: "shipment-corrected",
      by_name: "Ada",
      from_status: "Shipped",
      to_status: "Shipped",
    });
    await correctShipment({ orderId: id, by: ada, shipment: { carrier: "UPS" } });
    expect(await findOrder(shop.database.db, id)).toMatchObject({
      carrier: "UPS",
      tracking_number: "2",
    });
  });

  test("of the shipment are refused unless the order is shipped", async () => {
    const { correctShipment } = amendmentsOn(shop.database);
    for (const status of ["Pending", "PaymentProcessed", "Delivered", "Cancelled"] as const) {
      const { id } = await shop.stored({ status });
      const outcome = await correctShipment({ orderId: id, by: ada, shipment: { carrier: "DHL" } });
      expect(outcome).toMatchObject({
        code: "correction_refused",
        details: { current_status: status },
      });
      expect(await findOrder(shop.database.db, id)).toMatchObject({ carrier: null, version: 1 });
    }
    const orderId = randomUUID();
    const outcome = await correctShipment({ orderId, by: ada, shipment: { carrier: "DHL" } });
    expect(outcome).toBeUndefined();
  });

  test("and a status change at the same moment are both made", async () => {
    const { id } = await shop.stored({ status: "PaymentProcessed" });
    const { noteOrder } = amendmentsOn(shop.secondConnection);
    const { changeStatuses } = useCasesOn(shop.database);
    const [outcomes, noted] = await Promise.all([
      shop.within((unit) => changeStatuses(unit, [{ orderId: id, to: "Shipped", by: ada }])),
      noteOrder({ orderId: id, by: ada, text: "packed" }),
    ]);
    expect([outcomes[0], noted].map(kindOf)).toEqual(["changed", "noted"]);
    expect(await findOrder(shop.database.db, id)).toMatchObject({ status: "Shipped", version: 3 });
  });
});
