import { expect, test } from "vitest";
import {
  isConfirmed,
  type Outcome,
  openIds,
  outcomeOf,
  pasteLines,
  shipEach,
  shipmentReport,
} from "./bulk-shipping.ts";

const shipped: Outcome = { kind: "shipped" };
const overtaken = { kind: "overtaken", text: "Shipped by Ada a moment ago" } as const;
const unconfirmed = { kind: "unconfirmed", text: "The shipping address was changed." } as const;
const failed: Outcome = { kind: "failed", text: "the shop is away" };

test("an order that cannot be shipped does not stop the others, and each outcome is reported immediately", async () => {
  const reported: string[] = [];
  const outcomes = await shipEach(
    [{ id: "a", carrier: "DHL" }, { id: "b" }, { id: "c" }],
    async ({ id }) => (id === "b" ? failed : shipped),
    (now) => reported.push([...now.keys()].join("")),
  );
  expect(reported).toEqual(["a", "ab", "abc"]);
  expect([...outcomes.values()]).toEqual([shipped, failed, shipped]);
});

test("failed and unconfirmed orders can be tried again, overtaken ones cannot", () => {
  const outcomes = new Map<string, Outcome>([
    ["a", shipped],
    ["b", failed],
    ["c", overtaken],
    ["e", unconfirmed],
  ]);
  expect(openIds(["a", "b", "c", "d", "e"], outcomes)).toEqual(["b", "d", "e"]);
});

test("a second attempt confirms only the warning that was shown", () => {
  expect(isConfirmed(unconfirmed, unconfirmed.text)).toBe(true);
  expect(isConfirmed(unconfirmed, "Another dispute.")).toBe(false);
  expect(isConfirmed(failed, unconfirmed.text)).toBe(false);
  expect(isConfirmed(undefined, unconfirmed.text)).toBe(false);
});

test.each<
  [behaviour: string, status: string, carrier: string | null, expected: Outcome | undefined]
>([
  ["that is still paid has not shipped", "PaymentProcessed", null, undefined],
  [
    "with the requested shipment was shipped here, although the response was lost",
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

test("the report lists the orders that have not shipped", () => {
  const outcomes = new Map<string, Outcome>([
    ["11111111-1", shipped],
    ["22222222-2", overtaken],
    ["33333333-3", failed],
    ["44444444-4", unconfirmed],
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
  ["a single line is pasted by the browser", "1", 0, undefined],
  ["a single line with a line break too", "1\r\n", 0, undefined],
  ["several lines fill the next fields", "1\n2\r\n3", 0, ["1", "2", "3"]],
  ["lines are pasted from the focused field downwards", " 1 \n2", 1, ["a", "1", "2"]],
  ["surplus lines are dropped", "1\n2\n3", 2, ["a", "b", "1"]],
  ["an empty line empties its field", "1\n\n3", 0, ["1", "", "3"]],
])("%s", (_, text, place, expected) => {
  expect(pasteLines(["a", "b", "c"], place, text)).toEqual(expected);
});
