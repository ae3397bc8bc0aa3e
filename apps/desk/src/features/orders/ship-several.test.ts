import { expect, test } from "vitest";
import {
  isConfirmed,
  type Outcome,
  openIds,
  outcomeOf,
  pasteLines,
  shipEach,
  shipmentReport,
} from "./ship-several.ts";

const shipped: Outcome = { kind: "shipped" };
const overtaken = { kind: "overtaken", text: "Shipped by Ada a moment ago" } as const;
const asks = { kind: "asks", text: "The shipping address was changed." } as const;
const failed: Outcome = { kind: "failed", text: "the shop is away" };

test("an order that cannot be shipped does not stop the others, and each outcome is told at once", async () => {
  const told: string[] = [];
  const outcomes = await shipEach(
    [{ id: "a", carrier: "DHL" }, { id: "b" }, { id: "c" }],
    async ({ id }) => (id === "b" ? failed : shipped),
    (now) => told.push([...now.keys()].join("")),
  );
  expect(told).toEqual(["a", "ab", "abc"]);
  expect([...outcomes.values()]).toEqual([shipped, failed, shipped]);
});

test("what has failed or asks can be tried again, and what somebody else has moved cannot", () => {
  const outcomes = new Map<string, Outcome>([
    ["a", shipped],
    ["b", failed],
    ["c", overtaken],
    ["e", asks],
  ]);
  expect(openIds(["a", "b", "c", "d", "e"], outcomes)).toEqual(["b", "d", "e"]);
});

test("a second attempt confirms what was shown, and nothing else", () => {
  expect(isConfirmed(asks, asks.text)).toBe(true);
  expect(isConfirmed(asks, "Another dispute.")).toBe(false);
  expect(isConfirmed(failed, asks.text)).toBe(false);
  expect(isConfirmed(undefined, asks.text)).toBe(false);
});

test.each<[what: string, status: string, carrier: string | null, expected: Outcome | undefined]>([
  ["that is still paid was not shipped", "PaymentProcessed", null, undefined],
  [
    "with the shipment that was sent was shipped here, although the response was lost",
    "Shipped",
    "DHL",
    shipped,
  ],
  ["with another shipment was shipped by a colleague", "Shipped", "UPS", overtaken],
  ["that was cancelled was overtaken", "Cancelled", null, overtaken],
])("an order %s", (_, status, carrier, expected) => {
  const order = { status, carrier, tracking_number: null };
  expect(outcomeOf({ id: "a", carrier: "DHL" }, order, overtaken.text)).toEqual(expected);
});

test("the report names the orders that have not shipped", () => {
  const outcomes = new Map<string, Outcome>([
    ["11111111-1", shipped],
    ["22222222-2", overtaken],
    ["33333333-3", failed],
    ["44444444-4", asks],
  ]);
  expect(shipmentReport(outcomes)).toEqual({
    kind: "error",
    title: "1 shipped, 3 not",
    description:
      "22222222: Shipped by Ada a moment ago. 33333333: Not shipped: the shop is away. 44444444: Not shipped yet: The shipping address was changed.",
  });
  expect(shipmentReport(new Map([["a", shipped]]))).toMatchObject({
    kind: "success",
    title: "1 shipped",
  });
});

test.each([
  ["one line is pasted by the browser", "1", 0, undefined],
  ["a line with its end too", "1\r\n", 0, undefined],
  ["several lines fill the next fields", "1\n2\r\n3", 0, ["1", "2", "3"]],
  ["from the field on into which was pasted", " 1 \n2", 1, ["a", "1", "2"]],
  ["lines that are too many are left out", "1\n2\n3", 2, ["a", "b", "1"]],
  ["an empty line empties its field", "1\n\n3", 0, ["1", "", "3"]],
])("%s", (_, text, place, expected) => {
  expect(pasteLines(["a", "b", "c"], place, text)).toEqual(expected);
});
