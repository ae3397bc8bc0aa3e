import type { Problem } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { changedOrderOf } from "./changed-order.ts";

const mug = { id: "mug", name: "Mug", price: 1_850, quantity: 2 };
const pot = { id: "pot", name: "Pot", price: 4_500, quantity: 3 };
const bowl = { id: "bowl", name: "Bowl", price: 2_100, quantity: 1 };
const cart = [mug, pot, bowl];
const totalBefore = 19_300;

function priceChanged(
  total: number,
  ...lines: [id: string, available: number, price: number | null][]
): Problem {
  return {
    title: "",
    status: 409,
    code: "price_changed",
    total,
    lines: lines.map(([item_id, available, price]) => ({
      item_id,
      available,
      price,
      quantity: 1,
      expected_price: null,
    })),
  };
}

test("a line with another price and one with fewer pieces differ, and both can be bought", () => {
  const problem = priceChanged(10_900, ["mug", 2, 2_000], ["pot", 1, 4_500], ["bowl", 1, 2_100]);
  expect(changedOrderOf(problem, cart, totalBefore)).toEqual({
    lines: [
      { line: mug, available: 2, price: 2_000 },
      { line: pot, available: 1, price: 4_500 },
    ],
    totalBefore,
    buyable: [{ ...mug, price: 2_000 }, { ...pot, quantity: 1 }, bowl],
    total: 10_900,
    repriced: [{ ...mug, price: 2_000 }, pot, bowl],
  });
});

test("an item that is hidden or sold out cannot be bought", () => {
  const problem = priceChanged(2_100, ["mug", 0, null], ["pot", 0, 4_700], ["bowl", 1, 2_100]);
  const changed = changedOrderOf(problem, cart, totalBefore);
  expect(changed?.lines.map(({ available, price }) => [available, price])).toEqual([
    [0, undefined],
    [0, 4_700],
  ]);
  expect(changed?.buyable).toEqual([bowl]);
  expect(changed?.repriced).toEqual([mug, { ...pot, price: 4_700 }, bowl]);
});

test("if only the total has changed, such as by other shipping costs, it is that of the server", () => {
  const lines = cart.map(({ id, quantity, price }): [string, number, number] => [
    id,
    quantity,
    price,
  ]);
  expect(changedOrderOf(priceChanged(20_000, ...lines), cart, totalBefore)).toMatchObject({
    lines: [],
    buyable: cart,
    total: 20_000,
  });
});

test("any other refusal is not a changed order", () => {
  expect(changedOrderOf({ title: "", status: 422, code: "invalid" }, cart, 0)).toBeUndefined();
  expect(changedOrderOf(undefined, cart, 0)).toBeUndefined();
});

test("replacing a saved order makes its pieces available, up to the wanted quantity", () => {
  const problem = priceChanged(6_600, ["mug", 0, 1_850], ["pot", 1, 4_500], ["bowl", 1, 2_100]);
  const held = [
    { id: "mug", quantity: 5 },
    { id: "pot", quantity: 1 },
  ];
  const changed = changedOrderOf(problem, cart, totalBefore, held);
  expect(changed?.lines).toEqual([{ line: pot, available: 2, price: 4_500 }]);
  expect(changed?.buyable).toEqual([mug, { ...pot, quantity: 2 }, bowl]);
  expect(changed?.total).toBe(14_800);
});
