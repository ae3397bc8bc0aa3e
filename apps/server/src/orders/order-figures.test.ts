import { orderStatuses } from "@keepsats/domain";
import { expect, test } from "vitest";
import { type Counted, contributionOf, countedOf, differenceOf } from "./order-figures.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const order = {
  status: "Pending",
  total: 4_500,
  created_at: 3 * DAY + 1,
  paidAt: undefined,
  loans: [],
};
const labelsOf = (counted: Counted, figure: string) =>
  counted.filter(([name]) => name === figure).map(([, label]) => label);

test.each(orderStatuses.map((status) => [status] as const))(
  "an order that is %s counts by status and day",
  (status) => {
    const counted = contributionOf({ ...order, status });
    expect(counted).toContainEqual(["status", status, 1, 0]);
    expect(counted).toContainEqual(["placed", "000000003", 1, 0]);
  },
);

test.each([
  ["Pending", false],
  ["PaymentProcessing", false],
  ["PaymentProcessed", true],
  ["Shipped", true],
  ["Delivered", true],
  ["Cancelled", false],
  ["a status of a newer version", false],
])("an order that is %s is paid: %s", (status, isPaid) => {
  const paid = contributionOf({ ...order, status }).filter(([figure]) => figure === "paid");
  expect(paid).toEqual(isPaid ? [["paid", "000000003", 1, 4_500]] : []);
});

test("an order of which a smaller payment was accepted counts with that", () => {
  const paid = contributionOf({ ...order, status: "Shipped", accepted: 2_250 });
  expect(paid).toContainEqual(["paid", "000000003", 1, 2_250]);
});

test.each([
  [-1, "60000"],
  [0, "60000"],
  [MINUTE, "60000"],
  [MINUTE + 1, "300000"],
  [5 * MINUTE, "300000"],
  [15 * MINUTE, "900000"],
  [HOUR, "3600000"],
  [6 * HOUR, "21600000"],
  [DAY, "86400000"],
  [7 * DAY, "604800000"],
  [7 * DAY + 1, "Infinity"],
])("a payment after %d ms is in the bucket %s", (wait, label) => {
  expect(labelsOf(contributionOf({ ...order, paidAt: order.created_at + wait }), "wait")).toEqual([
    label,
  ]);
});

test("an order that was never paid is in no bucket, and loans are counted by standing", () => {
  const counted = contributionOf({ ...order, loans: ["paid", "over", "paid"] });
  expect(labelsOf(counted, "wait")).toEqual([]);
  expect(counted.filter(([figure]) => figure === "loan")).toEqual([
    ["loan", "over", 1, 0],
    ["loan", "paid", 2, 0],
  ]);
});

test("the same loans in another order count the same", () => {
  const [one, other] = [
    ["over", "paid"],
    ["paid", "over"],
  ].map((loans) => contributionOf({ ...order, loans }));
  expect(one).toEqual(other);
});

test("the difference has what changes only", () => {
  const before = contributionOf({ ...order, status: "PaymentProcessed" });
  const after = contributionOf({ ...order, status: "Cancelled" });
  expect(differenceOf([after], [before])).toEqual([
    { figure: "paid", label: "000000003", orders: -1, cents: -4_500 },
    { figure: "status", label: "Cancelled", orders: 1, cents: 0 },
    { figure: "status", label: "PaymentProcessed", orders: -1, cents: 0 },
  ]);
  expect(differenceOf([after, before], [before, after])).toEqual([]);
  expect(
    differenceOf(
      [["a", "b", 0, 5] as const].map((one) => [[...one]]),
      [],
    ),
  ).toEqual([{ figure: "a", label: "b", orders: 0, cents: 5 }]);
});

test("what was counted is read as it was stored, and an order that was not counted has nothing", () => {
  const counted = contributionOf({ ...order, status: "Shipped", loans: ["paid"] });
  expect(countedOf(JSON.stringify(counted))).toEqual(counted);
  expect(countedOf(null)).toEqual([]);
});
