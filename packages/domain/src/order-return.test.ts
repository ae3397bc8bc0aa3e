import { describe, expect, test } from "vitest";
import {
  canMoveReturn,
  isOpenReturn,
  openReturnStates,
  returnablePieces,
  returnStates,
} from "./order-return.ts";

describe("a return", () => {
  test.each([
    ["requested", ["accepted", "declined", "withdrawn"]],
    ["accepted", ["received", "declined"]],
    ["received", ["refunded", "completed", "declined"]],
    ["refunded", []],
    ["completed", []],
    ["declined", []],
    ["withdrawn", []],
    ["a state of a newer version", []],
  ])("that is %s may become %j", (from, next) => {
    expect(returnStates.filter((to) => canMoveReturn(from, to))).toEqual(
      returnStates.filter((to) => next.includes(to)),
    );
  });

  test("is open until it is refunded, completed, declined or withdrawn", () => {
    expect(openReturnStates).toEqual(["requested", "accepted", "received"]);
    expect(isOpenReturn("a state of a newer version")).toBe(true);
  });
});

describe("the pieces that a new return can have", () => {
  const items = [
    { id: "pot", quantity: 3 },
    { id: "mug", quantity: 1 },
  ];
  const aReturn = (state: string, quantity: number, refund_id: string | null = null) => ({
    state,
    refund_id,
    lines: [{ item_id: "pot", quantity }],
  });
  const aRefund = (refund_id: string, quantity: number) => ({
    refund_id,
    item_id: "pot",
    quantity,
  });
  const mug = { item_id: "mug", quantity: 1 };

  test("are all without returns and refunds", () => {
    expect(returnablePieces(items, [], [])).toEqual([{ item_id: "pot", quantity: 3 }, mug]);
  });

  test.each(["requested", "accepted", "received", "refunded", "completed", "a newer state"])(
    "are not those of a return that is %s",
    (state) => {
      expect(returnablePieces(items, [aReturn(state, 2)], [])).toEqual([
        { item_id: "pot", quantity: 1 },
        mug,
      ]);
      expect(returnablePieces(items, [aReturn(state, 3)], [])).toEqual([mug]);
    },
  );

  test.each(["declined", "withdrawn"])("are also those of a return that is %s", (state) => {
    expect(returnablePieces(items, [aReturn(state, 3)], [])).toContainEqual({
      item_id: "pot",
      quantity: 3,
    });
  });

  test("are not those of another refund", () => {
    expect(returnablePieces(items, [aReturn("accepted", 1)], [aRefund("other", 1)])).toContainEqual(
      {
        item_id: "pot",
        quantity: 1,
      },
    );
  });

  test("lack the pieces of a refunded return once, although its refund has them too", () => {
    const returns = [aReturn("refunded", 2, "own")];
    expect(returnablePieces(items, returns, [aRefund("own", 2)])).toContainEqual({
      item_id: "pot",
      quantity: 1,
    });
  });
});
