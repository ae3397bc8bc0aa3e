import type { ReturnState } from "@keepsats/domain";
import type { OrderReturn } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { Refusal } from "../../../platform/refusal.ts";
import { DAY } from "../../../platform/scheduling/clock.ts";
import {
  openingByCustomer,
  openingByStaff,
  type ReturnableOrder,
  restockErrors,
  returnMoveOf,
  returnOfferOf,
  returnRefundOf,
} from "./rules.ts";

const deliveredAt = 1_000 * DAY;
const period = { days: 30, now: deliveredAt + DAY };

/** A delivered order of 3 pots and a mug. */
function anOrder(changes: Partial<ReturnableOrder> = {}): ReturnableOrder {
  return {
    id: "order",
    status: "Delivered",
    items: [
      { id: "pot", name: "Pot", price: 700, quantity: 3 },
      { id: "mug", name: "Mug", price: 500, quantity: 1 },
    ],
    erased_at: null,
    deliveredAt,
    returns: [],
    refunded: [],
    ...changes,
  };
}

function aReturn(state: ReturnState, quantity = 1): OrderReturn {
  return {
    id: `${state} ${quantity}`,
    state,
    lines: [{ item_id: "pot", quantity }],
    reason: "too small",
    message: null,
    by: "customer",
    by_name: null,
    refund_id: null,
    opened_at: deliveredAt,
    changed_at: deliveredAt,
  };
}

const pots = (quantity: number) => [{ item_id: "pot", quantity }];

const ERASED = "The personal data of this order is erased.";
const notReturnableIn = (status: string) =>
  new Refusal("not_returnable", {
    detail: `An order that is ${status} cannot be returned.`,
    current_status: status,
  });

describe("a customer", () => {
  test("requests a return of a delivered order within the return period", () => {
    expect(openingByCustomer(anOrder(), pots(3), period)).toEqual({ kind: "opened" });
  });

  test.each(["Pending", "PaymentProcessing", "PaymentProcessed", "Shipped", "Cancelled", "Newer"])(
    "requests no return of an order that is %s",
    (status) => {
      const order = anOrder({ status });
      expect(openingByCustomer(order, pots(1), period)).toEqual(notReturnableIn(status));
      expect(returnOfferOf(order, period)).toBeUndefined();
    },
  );

  test.each([
    ["once its data is erased", anOrder({ erased_at: 1 }), period, ERASED],
    [
      "if the shop has no return period",
      anOrder(),
      { ...period, days: 0 },
      "Returns cannot be requested on the order page.",
    ],
    [
      "when the return period ends",
      anOrder(),
      { days: 30, now: deliveredAt + 30 * DAY },
      "The return period is over.",
    ],
    [
      "while an earlier request awaits an answer",
      anOrder({ returns: [aReturn("requested")] }),
      period,
      "A return is requested already, and the shop has not answered yet.",
    ],
  ])("requests no return %s", (_, order, time, detail) => {
    expect(openingByCustomer(order, pots(1), time)).toEqual(
      new Refusal("not_returnable", { detail }),
    );
    expect(returnOfferOf(order, time)).toBeUndefined();
  });

  test("requests one more while an earlier return is accepted, of the other pieces", () => {
    const order = anOrder({ returns: [aReturn("accepted", 2)] });
    expect(openingByCustomer(order, pots(1), period)).toEqual({ kind: "opened" });
    expect(openingByCustomer(order, pots(2), period)).toMatchObject({ code: "invalid" });
  });

  test("is offered all pieces that a return can have, until the end of the period", () => {
    expect(returnOfferOf(anOrder({ returns: [aReturn("refunded", 2)] }), period)).toEqual({
      until: deliveredAt + 30 * DAY,
      lines: [
        { item_id: "pot", quantity: 1 },
        { item_id: "mug", quantity: 1 },
      ],
    });
  });

  test("is offered no return without such pieces", () => {
    const refunded = [
      { refund_id: "one", item_id: "pot", quantity: 3 },
      { refund_id: "one", item_id: "mug", quantity: 1 },
    ];
    expect(returnOfferOf(anOrder({ refunded }), period)).toBeUndefined();
  });
});

describe("staff", () => {
  test.each(["Shipped", "Delivered"])("open a return of an order that is %s", (status) => {
    const order = anOrder({ status, deliveredAt: undefined });
    expect(openingByStaff(order, pots(3))).toEqual({ kind: "opened" });
  });

  test.each(["Pending", "PaymentProcessing", "PaymentProcessed", "Cancelled", "Newer"])(
    "open no return of an order that is %s",
    (status) => {
      expect(openingByStaff(anOrder({ status }), pots(1))).toEqual(notReturnableIn(status));
    },
  );

  test("open no return of an erased order", () => {
    expect(openingByStaff(anOrder({ erased_at: 1 }), pots(1))).toEqual(
      new Refusal("not_returnable", { detail: ERASED }),
    );
  });

  test("open no return of other items, or of more pieces than are left", () => {
    const lines = [
      { item_id: "pot", quantity: 2 },
      { item_id: "pan", quantity: 1 },
    ];
    expect(openingByStaff(anOrder({ returns: [aReturn("requested", 2)] }), lines)).toEqual(
      new Refusal("invalid", {
        errors: [
          { path: "lines.0.quantity", message: "must be at most 1" },
          { path: "lines.1.item_id", message: "is not an item of this order" },
        ],
      }),
    );
  });

  test("change no return that has another state than they have seen", () => {
    expect(returnMoveOf(aReturn("accepted"), "declined", "requested")).toEqual(
      new Refusal("return_changed", {
        detail: "The return is accepted by now. Nothing was changed.",
      }),
    );
    expect(returnMoveOf(aReturn("accepted"), "declined", "accepted")).toEqual({ kind: "moved" });
  });

  test("accept no return twice", () => {
    expect(returnMoveOf(aReturn("accepted"), "accepted")).toEqual(
      new Refusal("return_changed", {
        detail: "A return that is accepted cannot become accepted. Nothing was changed.",
      }),
    );
  });
});

describe("a completed return", () => {
  test("restocks its pieces, or some of them, and no others", () => {
    expect(restockErrors(aReturn("received", 2), pots(2))).toEqual([]);
    expect(restockErrors(aReturn("received", 2), [])).toEqual([]);
    const lines = [...pots(3), { item_id: "mug", quantity: 1 }];
    expect(restockErrors(aReturn("received", 2), lines)).toMatchObject([
      { path: "restock.0.quantity", message: "must be at most 2" },
      { path: "restock.1.quantity", message: "must be at most 0" },
    ]);
  });
});

describe("the refund of a return", () => {
  test("is for its pieces, or for some of them", () => {
    expect(returnRefundOf(aReturn("received", 2), pots(2))).toEqual({ kind: "moved" });
    expect(returnRefundOf(aReturn("received", 2), pots(1))).toEqual({ kind: "moved" });
  });

  test("is for no other pieces", () => {
    const lines = [...pots(3), { item_id: "mug", quantity: 1 }];
    expect(returnRefundOf(aReturn("received", 2), lines)).toMatchObject({
      code: "invalid",
      details: { errors: [{ path: "lines.0.quantity" }, { path: "lines.1.quantity" }] },
    });
  });

  test.each(["requested", "accepted", "refunded", "completed", "declined", "withdrawn"] as const)(
    "is refused while the return is %s",
    (state) => {
      expect(returnRefundOf(aReturn(state), pots(1))).toEqual(
        new Refusal("return_changed", {
          detail: `A return that is ${state} cannot become refunded. Nothing was changed.`,
        }),
      );
    },
  );
});
