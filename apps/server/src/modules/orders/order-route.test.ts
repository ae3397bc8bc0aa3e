import { beforeAll, expect, test } from "vitest";
import { aStoredOrder } from "../../../../../test/harness/builders.ts";
import { sqlite, useDatabase } from "../../../../../test/harness/databases.ts";
import { Refusal } from "../../platform/refusal.ts";
import { matchOrderId } from "./order-route.ts";
import { insertOrders } from "./placing/place-order.ts";

const used = useDatabase(sqlite);
const idOf = (number: number) => `0000000${number}-0000-4000-8000-000000000000`;
const alike = ["abcdef01-0000-4000-8000-000000000001", "abcdef01-0000-4000-8000-000000000002"];

beforeAll(async () => {
  const placed = [idOf(1), idOf(2), ...alike].map((id) => ({
    order: aStoredOrder({ id }),
    idempotency: undefined,
  }));
  await used.database.inTransaction((unit) => insertOrders(unit, placed));
});

test.each([
  [idOf(1), idOf(1)],
  ["00000002", idOf(2)],
  ["00000002-0000-4", idOf(2)],
  [idOf(1).slice(0, -1), idOf(1)],
  ["0000000", "not_found"],
  ["00000009", "not_found"],
  ["x00000001", "not_found"],
  ["00000001x", "not_found"],
  [`${idOf(1)}0`, "not_found"],
  ["ABCDEF01-0000-4000-8000-000000000001", alike[0]],
  ["abcdef01", "ambiguous_id"],
  ["K-10002", idOf(2)],
  ["k10002", idOf(2)],
  ["10002", idOf(2)],
  ["K-10009", "not_found"],
])("the id or number %s resolves to %j", async (given, expected) => {
  const match = await matchOrderId(used.database.db, given);
  expect(match instanceof Refusal ? match.code : match).toBe(expected);
});
