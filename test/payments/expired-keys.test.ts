import { randomUUID } from "node:crypto";
import { idempotencyHeader } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { HOUR } from "../../apps/server/src/platform/scheduling/clock.ts";
import { anOrder } from "../harness/builders.ts";
import { isError, postOrder } from "../harness/customer.ts";
import { databaseKinds } from "../harness/databases.ts";
import { aPayout } from "../harness/loans.ts";
import { type MoneyShop, useMoneyShop } from "../harness/money-shop.ts";
import { waitFor } from "../harness/wait-for.ts";

const TERM = 1_500;
const expiring = { orderExpiresHours: TERM / HOUR };

async function place({ shop }: MoneyShop, key: string) {
  const answer = await postOrder(shop, anOrder(), { [idempotencyHeader]: key });
  const body: unknown = await answer.json();
  return {
    id: String(Reflect.get(Object(body), "id")),
    order: body,
    isReplayed: answer.headers.get("idempotent-replayed") === "true",
  };
}

describe.concurrent.each(databaseKinds)("an Idempotency-Key on $name", (kind) => {
  const shop = useMoneyShop(kind, { config: expiring });

  test("of an expired order is answered that the order is cancelled", async () => {
    const key = randomUUID();
    const placed = await place(shop, key);
    expect(placed).toMatchObject({ isReplayed: false, order: { status: "Pending" } });
    await waitFor("its end", async () => (await shop.statusOf(placed)) === "Cancelled");
    expect(await place(shop, key)).toMatchObject({
      id: placed.id,
      isReplayed: true,
      order: { status: "Cancelled" },
    });
  });

  test("is remembered as long as its order", async () => {
    const key = randomUUID();
    const { id } = await place(shop, key);
    await shop.testDatabase.run(
      `UPDATE idempotency_keys SET created_at = 1 WHERE order_id = '${id}'`,
    );
    // The shop used to delete old keys every quarter of a second.
    await shop.swept(4);
    expect(await place(shop, key)).toMatchObject({ id, isReplayed: true });
  });
});

describe.concurrent.each(databaseKinds)("an unrecognized presented loan on $name", (kind) => {
  // A loan that was presented is forgotten soon, unless it is a loan.
  const shop = useMoneyShop(kind, { config: expiring, times: { unboundLifetime: 300 } });

  test("protects its order as long as the order lives", async () => {
    const order = await shop.order();
    const loan = aPayout(order, { loan_amount: { value: "12.00" }, client_contract_id: null });
    shop.provider.setContract(loan);
    const page = await shop.subscribe(order, loan);
    await page.until("the answer about it", isError("ConnectionError"));
    await page.close();
    const younger = await shop.order();
    await waitFor("the younger order to expire", async () => {
      return (await shop.statusOf(younger)) === "Cancelled";
    });
    await shop.swept(4);
    expect(await shop.statusOf(order)).toBe("Pending");
    await shop.restart();
    await shop.swept(4);
    expect(await shop.statusOf(order)).toBe("Pending");
  });
});
