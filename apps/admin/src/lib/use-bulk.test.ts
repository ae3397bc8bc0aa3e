import { expect, test } from "vitest";
import { bulkReport, isOpen, type Outcome } from "./use-bulk.ts";

const done: Outcome = { kind: "done", text: "Shipped" };
const overtaken: Outcome = { kind: "overtaken", text: "Shipped by Ada a moment ago" };
const failed: Outcome = { kind: "failed", text: "Not shipped: the shop is away." };
const unconfirmed: Outcome = {
  kind: "unconfirmed",
  text: "Not shipped yet: The shipping address was changed.",
};
const texts = { noun: "order", done: "shipped", nameOf: (id: string) => `Order ${id}` };

test("failed and unconfirmed records can be tried again, overtaken ones cannot", () => {
  const outcomes = [undefined, done, failed, overtaken, unconfirmed];
  expect(outcomes.filter(isOpen)).toEqual([undefined, failed, unconfirmed]);
});

test("the report counts the changed records and names the others with their reasons", () => {
  const outcomes = new Map([
    ["1", done],
    ["2", overtaken],
    ["3", failed],
    ["4", unconfirmed],
  ]);
  expect(bulkReport(texts, outcomes)).toEqual({
    kind: "error",
    title: "1 order shipped, 3 not",
    description:
      "Order 2: Shipped by Ada a moment ago. Order 3: Not shipped: the shop is away. Order 4: Not shipped yet: The shipping address was changed.",
  });
  expect(bulkReport(texts, new Map([["1", done]]))).toEqual({
    kind: "success",
    title: "1 order shipped",
    description: "",
  });
});

test("the report has the notes of changed records", () => {
  const noted: Outcome = {
    ...done,
    text: "Cancelled. 1 loan may still be paid out.",
    hasNote: true,
  };
  expect(bulkReport({ ...texts, done: "cancelled" }, new Map([["1", noted]]))).toEqual({
    kind: "success",
    title: "1 order cancelled",
    description: "Order 1: Cancelled. 1 loan may still be paid out.",
  });
});
