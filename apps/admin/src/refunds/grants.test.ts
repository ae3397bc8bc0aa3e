import { expect, test } from "vitest";
import { anOrder, aReturn, emptyLedger } from "../lib/order.test-data.ts";
import {
  amountOfPieces,
  chosenLines,
  type GrantChoice,
  type GrantOffer,
  grantOfferOf,
  grantRequest,
  offerOfReturn,
} from "./grants.ts";

const order = anOrder({
  status: "Delivered",
  items: [
    { id: "pot", name: "Moka pot", price: 2_000, quantity: 2 },
    { id: "cup", name: "Cup", price: 500, quantity: 1 },
  ],
  refund_lines: [{ refund_id: "first", item_id: "cup", quantity: 1, restocked: 0 }],
  ledger: { ...emptyLedger, grantable: 4_000 },
});
const offer: GrantOffer = grantOfferOf(order) ?? { most: 0, lines: [] };
const nothing: GrantChoice = new Map();
const twoPots: GrantChoice = new Map([["pot", { quantity: 2 }]]);

test("the pieces of earlier refunds are not offered again", () => {
  expect(offer).toEqual({
    most: 4_000,
    lines: [{ itemId: "pot", name: "Moka pot", price: 2_000, left: 2 }],
  });
});

test("the pieces of an open return are not offered beside it", () => {
  const left = (state: string) => grantOfferOf({ ...order, returns: [aReturn({ state })] })?.lines;
  expect(left("received")).toMatchObject([{ itemId: "pot", left: 1 }]);
  expect(left("completed")).toMatchObject([{ itemId: "pot", left: 1 }]);
  for (const state of ["declined", "withdrawn"])
    expect(left(state)).toMatchObject([{ itemId: "pot", left: 2 }]);
});

test.each([
  ["is not paid", { status: "Pending" }],
  ["is erased", { erased_at: 1 }],
  ["has money that is due", { ledger: { ...emptyLedger, grantable: 4_000, refundable: 1 } }],
  ["has nothing left of its price", { ledger: { ...emptyLedger, grantable: 0 } }],
])("nothing is offered of an order that %s", (_, changes) => {
  expect(grantOfferOf({ ...order, ...changes })).toBeUndefined();
});

test("a return restocks its pieces, goodwill none, unless staff choose otherwise", () => {
  expect(chosenLines(offer, twoPots, "return")).toMatchObject([{ quantity: 2, restock: 2 }]);
  for (const kind of ["goodwill", ""] as const)
    expect(chosenLines(offer, twoPots, kind)).toMatchObject([{ quantity: 2, restock: 0 }]);
  const broken = new Map([["pot", { quantity: 2, restock: 1 }]]);
  expect(chosenLines(offer, broken, "return")).toMatchObject([{ quantity: 2, restock: 1 }]);
});

test("the amount is the price of the pieces, at most what can be refunded", () => {
  expect(amountOfPieces(offer, twoPots)).toBe(4_000);
  expect(amountOfPieces({ ...offer, most: 3_000 }, twoPots)).toBe(3_000);
  expect(amountOfPieces(offer, nothing)).toBeNull();
});

test("a request names only lines with pieces", () => {
  expect(grantRequest(offer, "return", chosenLines(offer, twoPots, "return"))).toEqual({
    grant: "return",
    lines: [{ item_id: "pot", quantity: 2, restock: 2 }],
  });
  expect(grantRequest(offer, "goodwill", chosenLines(offer, nothing, "goodwill"))).toEqual({
    grant: "goodwill",
  });
});

test("the refund of a return is for all its pieces that are left, and names it", () => {
  const lines = [
    { item_id: "pot", quantity: 1 },
    { item_id: "cup", quantity: 1 },
  ];
  const ofReturn = offerOfReturn(offer, { id: "return", lines });
  expect(grantRequest(ofReturn, "return", chosenLines(ofReturn, nothing, "return"))).toEqual({
    grant: "return",
    lines: [{ item_id: "pot", quantity: 1, restock: 1 }],
    return_id: "return",
  });
});
