import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OrderStatus } from "@keepsats/domain";
import type { KyselyPlugin } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createInProcessBus } from "../bus/in-process.ts";
import type { Database } from "../db/database.ts";
import { openSqlite } from "../db/sqlite.ts";
import { createChangeStatuses } from "./change-status.ts";

let folder: string;
let database: Database;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "keepsats-"));
  database = openSqlite(join(folder, "shop.db"));
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

async function placeAt(id: string, status: OrderStatus): Promise<void> {
  const empty = { customer_name: "", customer_email: "", shipping_address: "{}", billing_address: "{}" };
  await database.db
    .insertInto("orders")
    .values({ id, status, version: 1, attempt_over: 0, total: 1, created_at: 1, ...empty })
    .execute();
}

/** Has something happen right after the first result of a query has come. */
function afterFirstResult(happen: () => Promise<void>): KyselyPlugin {
  let waiting = true;
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (waiting) {
        waiting = false;
        await happen();
      }
      return result;
    },
  };
}

test.each<[rival: OrderStatus, expected: string]>([
  ["Cancelled", "refused"],
  ["Shipped", "unchanged"],
])("a move that another writer's (to %s) overtakes is decided anew: %s", async (rival, expected) => {
  const id = crypto.randomUUID();
  await placeAt(id, "PaymentProcessed");
  const changeStatuses = createChangeStatuses({
    bus: createInProcessBus(),
    now: () => 1,
    onChanged: () => {},
  });
  const [outcome] = await database.inTransaction(async ({ db, ...unit }) => {
    const overtaken = db.withPlugin(
      afterFirstResult(async () => {
        await db.updateTable("orders").set({ status: rival, version: 2 }).where("id", "=", id).execute();
      }),
    );
    return changeStatuses({ ...unit, db: overtaken }, [{ orderId: id, to: "Shipped", by: "merchant" }]);
  });
  expect(outcome?.kind).toBe(expected);
  const row = await database.db
    .selectFrom("orders")
    .select(["status", "version"])
    .where("id", "=", id)
    .executeTakeFirst();
  expect(row).toEqual({ status: rival, version: 2 });
  expect(
    await database.db.selectFrom("order_events").selectAll().where("order_id", "=", id).execute(),
  ).toEqual([]);
});
