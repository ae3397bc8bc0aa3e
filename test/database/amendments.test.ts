import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createInProcessBus } from "../../apps/server/src/bus/in-process.ts";
import type { Database } from "../../apps/server/src/db/database.ts";
import { createAmendOrder } from "../../apps/server/src/orders/amend-order.ts";
import { createCorrectShipment } from "../../apps/server/src/orders/correct-shipment.ts";
import { createNoteOrder } from "../../apps/server/src/orders/note-order.ts";
import { findOrder, listEvents } from "../../apps/server/src/orders/order-repository.ts";
import { noAnnouncements } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { useCasesOn } from "../harness/use-cases.ts";

const ada = { kind: "merchant", name: "Ada" } as const;

function amendmentsOn(database: Database) {
  const amendOrder = createAmendOrder({ bus: createInProcessBus(), now: () => 5 });
  return {
    noteOrder: createNoteOrder({ database, amendOrder }),
    correctShipment: createCorrectShipment({ database, amendOrder, announce: noAnnouncements }),
  };
}

describe.each(databaseKinds)("amendments on $name", (kind) => {
  const shop = useDatabase(kind);

  test("of one order at the same moment are all kept, each with a version of its own", async () => {
    const { id } = await shop.stored();
    const [here, there] = [amendmentsOn(shop.database), amendmentsOn(shop.other)];
    const texts = Array.from({ length: 20 }, (_, index) => `note ${index}`);
    const outcomes = await Promise.all(
      texts.map((text, index) =>
        (index % 2 === 0 ? here : there).noteOrder({ orderId: id, by: ada, text }),
      ),
    );
    expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set(["noted"]));
    const events = await listEvents(shop.database.db, id);
    const kept = events.flatMap(({ kind, data }) =>
      kind === "noted" ? [JSON.parse(data ?? "").text] : [],
    );
    expect(kept.toSorted()).toEqual(texts.toSorted());
    expect(await findOrder(shop.database.db, id)).toMatchObject({ status: "Pending", version: 21 });
  });

  test("correct how an order travels, with who did it", async () => {
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

  test("of how an order travels are refused unless it is on its way", async () => {
    const { correctShipment } = amendmentsOn(shop.database);
    for (const status of ["Pending", "PaymentProcessed", "Delivered", "Cancelled"] as const) {
      const { id } = await shop.stored({ status });
      const outcome = await correctShipment({ orderId: id, by: ada, shipment: { carrier: "DHL" } });
      expect(outcome).toEqual({ kind: "refused", status });
      expect(await findOrder(shop.database.db, id)).toMatchObject({ carrier: null, version: 1 });
    }
    const orderId = randomUUID();
    const outcome = await correctShipment({ orderId, by: ada, shipment: { carrier: "DHL" } });
    expect(outcome).toEqual({ kind: "not-found" });
  });

  test("and a move of one order at the same moment are both made", async () => {
    const { id } = await shop.stored({ status: "PaymentProcessed" });
    const { noteOrder } = amendmentsOn(shop.other);
    const { changeStatuses } = useCasesOn(shop.database);
    const [outcomes, noted] = await Promise.all([
      shop.within((unit) => changeStatuses(unit, [{ orderId: id, to: "Shipped", by: ada }])),
      noteOrder({ orderId: id, by: ada, text: "packed" }),
    ]);
    expect([outcomes[0]?.kind, noted.kind]).toEqual(["changed", "noted"]);
    expect(await findOrder(shop.database.db, id)).toMatchObject({ status: "Shipped", version: 3 });
  });
});
