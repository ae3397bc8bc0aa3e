import { orderPageSchema, paths, withId } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { listOrders } from "../../apps/server/src/modules/orders/lists/list-orders.ts";
import { searchedText } from "../../apps/server/src/modules/orders/lists/search-words.ts";
import { findOrderNumber } from "../../apps/server/src/modules/orders/order-number.ts";
import { insertOrders } from "../../apps/server/src/modules/orders/placing/place-order.ts";
import { aStoredOrder } from "../harness/builders.ts";
import { placeOrder } from "../harness/customer.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";

describe.each(databaseKinds)("the numbers of orders on $name", (kind) => {
  const shop = useDatabase(kind);
  const digitsOf = (number: string) => Number(number.replace("K-", ""));

  test("are unique and increase, also when orders share a commit or fail", async () => {
    const before = await shop.stored();
    const some = Array.from({ length: 20 }, () => aStoredOrder());
    const placed = some.map((order) => ({ order, idempotency: undefined }));
    const numbers = await shop.within((unit) => insertOrders(unit, placed));
    expect([...numbers.keys()].toSorted()).toEqual(some.map(({ id }) => id).toSorted());
    const failed = shop.within((unit) => insertOrders(unit, placed));
    await expect(failed).rejects.toThrow();
    const after = await shop.stored();
    const all = [before.number, ...numbers.values(), after.number].map(digitsOf);
    expect(new Set(all).size).toBe(22);
    expect(Math.min(...all)).toBe(digitsOf(before.number));
    expect(Math.max(...all)).toBe(digitsOf(after.number));
    for (const [id, number] of numbers)
      expect(await findOrderNumber(shop.database.db, id)).toBe(number);
  });

  test("find their order among others, together with the filter", async () => {
    const { id, number } = await shop.stored({ customer_name: "Found" });
    await shop.stored({ customer_name: "Other" });
    const idsOf = async (text: string, statuses: ["Pending" | "Shipped"]) => {
      const filter = { text: searchedText(text), statuses };
      return (await listOrders(shop.database.db, filter, { limit: 9 })).map((order) => order.id);
    };
    for (const text of [number, number.toLowerCase(), number.replace("K-", "")])
      expect(await idsOf(text, ["Pending"])).toEqual([id]);
    expect(await idsOf(number, ["Shipped"])).toEqual([]);
  });
});

describe("an order's number", () => {
  const shop = useResource(() => startShop());

  test("is the same for customer and staff, and names the order in the admin API", async () => {
    const { id, number, key } = await placeOrder(shop);
    expect(number).toMatch(/^K-1\d{4}$/);
    const own = await fetch(shop.url + withId(paths.order, id), { headers: { "order-key": key } });
    expect(await own.json()).toMatchObject({ id, number });
    for (const named of [id, number, number.toLowerCase()]) {
      const { body } = await callAdminApi(shop, "GET", withId(paths.admin.order, named));
      expect(body).toMatchObject({ id, number });
    }
    const { body } = await callAdminApi(shop, "GET", paths.admin.orders);
    expect(orderPageSchema.parse(body).orders).toContainEqual(
      expect.objectContaining({ id, number }),
    );
    const { status } = await callAdminApi(shop, "GET", withId(paths.admin.order, "K-9"));
    expect(status).toBe(404);
  });
});
