import { beforeAll, expect, test } from "vitest";
import { aStoredOrder } from "../../../../../test/harness/builders.ts";
import { sqlite, useDatabase } from "../../../../../test/harness/databases.ts";
import { matchOrderId } from "./order-route.ts";
import { insertOrders } from "./place-order.ts";

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
  [idOf(1), { kind: "one", id: idOf(1) }],
  ["00000002", { kind: "one", id: idOf(2) }],
  ["00000002-0000-4", { kind: "one", id: idOf(2) }],
  [idOf(1).slice(0, -1), { kind: "one", id: idOf(1) }],
  ["0000000", { kind: "none" }],
  ["00000009", { kind: "none" }],
  ["x00000001", { kind: "none" }],
  ["00000001x", { kind: "none" }],
  [`${idOf(1)}0`, { kind: "none" }],
  ["ABCDEF01-0000-4000-8000-000000000001", { kind: "one", id: alike[0] }],
  ["abcdef01", { kind: "many" }],
  ["K-10002", { kind: "one", id: idOf(2) }],
  ["k10002", { kind: "one", id: idOf(2) }],
  ["10002", { kind: "one", id: idOf(2) }],
  ["K-10009", { kind: "none" }],
])("the id or number %s resolves to %j", async (given, expected) => {
  expect(await matchOrderId(used.database.db, given)).toEqual(expected);
});
