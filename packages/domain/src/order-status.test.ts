import fc from "fast-check";
import { expect, test } from "vitest";
import {
  awaitsPayment,
  awaitsShipping,
  canMove,
  FIRST_STATUS,
  finalStatuses,
  isOrderStatus,
  isPaidStatus,
  isStaffStatus,
  moneyPhaseOf,
  nextStatuses,
  orderStatuses,
  restocksItems,
} from "./order-status.ts";

const status = fc.constantFrom(...orderStatuses);

test("exactly the specified moves are allowed", () => {
  const moves = orderStatuses.flatMap((from) => nextStatuses(from).map((to) => `${from} → ${to}`));
  expect(moves.toSorted()).toEqual(
    [
      "Pending → PaymentProcessing",
      "Pending → PaymentProcessed",
      "Pending → Cancelled",
      "PaymentProcessing → PaymentProcessed",
      "PaymentProcessing → Pending",
      "PaymentProcessing → Cancelled",
      "PaymentProcessed → Shipped",
      "PaymentProcessed → Cancelled",
      "Shipped → Delivered",
    ].toSorted(),
  );
});

test("on any sequence of allowed moves, a paid order never awaits payment again and an ended one never moves", () => {
  fc.assert(
    fc.property(fc.array(status, { maxLength: 40 }), (wishes) => {
      let now: (typeof orderStatuses)[number] = "Pending";
      let paid = false;
      for (const wish of wishes) {
        const ended = now === "Delivered" || now === "Cancelled";
        if (!canMove(now, wish)) continue;
        expect(ended).toBe(false);
        now = wish;
        paid ||= now === "PaymentProcessed";
        if (paid) expect(awaitsPayment(now)).toBe(false);
        if (now === "Shipped") expect(paid).toBe(true);
      }
    }),
  );
});

test("no status may follow itself, and every status can be reached", () => {
  for (const state of orderStatuses) expect(canMove(state, state)).toBe(false);
  const reached = new Set(orderStatuses.flatMap((from) => nextStatuses(from)));
  expect(orderStatuses.filter((state) => !reached.has(state))).toEqual([]);
});

test.each(["", "pending", "PENDING", "constructor", "__proto__"])("%j is not a status", (text) => {
  expect(isOrderStatus(text)).toBe(false);
});

test("staff can set exactly Shipped, Delivered and Cancelled", () => {
  expect(orderStatuses.filter(isStaffStatus)).toEqual(["Shipped", "Delivered", "Cancelled"]);
});

test("an order begins as Pending, and only Pending and PaymentProcessing await payment", () => {
  expect(FIRST_STATUS).toBe("Pending");
  expect(orderStatuses.filter(awaitsPayment)).toEqual(["Pending", "PaymentProcessing"]);
});

test("an order awaits shipping until it is shipped or cancelled", () => {
  expect(orderStatuses.filter(awaitsShipping)).toEqual([
    "Pending",
    "PaymentProcessing",
    "PaymentProcessed",
  ]);
});

test("every status is recognized by its name", () => {
  expect(orderStatuses.every(isOrderStatus)).toBe(true);
});

test("an order is paid from its payment on, unless it is cancelled", () => {
  expect(orderStatuses.filter(isPaidStatus)).toEqual(["PaymentProcessed", "Shipped", "Delivered"]);
  expect(isPaidStatus("Refunded")).toBe(false);
});

test("exactly a cancelled order is restocked and must be refunded", () => {
  expect(orderStatuses.filter(restocksItems)).toEqual(["Cancelled"]);
  expect(orderStatuses.filter((status) => moneyPhaseOf(status) === "cancelled")).toEqual([
    "Cancelled",
  ]);
  expect(moneyPhaseOf("Refunded")).toBe("paid");
});

test("exactly Delivered and Cancelled are final", () => {
  expect(finalStatuses).toEqual(["Delivered", "Cancelled"]);
});
