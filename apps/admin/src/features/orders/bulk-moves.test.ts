import { shortOrderId } from "@keepsats/domain";
import { afterEach, expect, test, vi } from "vitest";
import { anIssue, anOrder } from "../../lib/order.test-data.ts";
import {
  attemptMove,
  movable,
  moveReport,
  type Outcome,
  openIds,
  pasteLines,
} from "./bulk-moves.ts";

afterEach(() => void vi.unstubAllGlobals());

const moved: Outcome = { kind: "moved", text: "Shipped" };
const overtaken = { kind: "overtaken", text: "Shipped by Ada a moment ago" } as const;
const unconfirmed = {
  kind: "unconfirmed",
  text: "Not shipped yet: The shipping address was changed.",
} as const;
const failed: Outcome = { kind: "failed", text: "Not shipped: the shop is away" };

test("only orders whose status permits the move are offered for it", () => {
  const orders = ["Pending", "PaymentProcessed", "Shipped", "Delivered", "Lost"].map((status) => ({
    status,
  }));
  expect(movable(orders, "Shipped")).toEqual([{ status: "PaymentProcessed" }]);
  expect(movable(orders, "Delivered")).toEqual([{ status: "Shipped" }]);
  expect(movable(orders, "Cancelled")).toEqual(orders.slice(0, 2));
});

test("failed and unconfirmed orders can be tried again, overtaken ones cannot", () => {
  const outcomes = new Map<string, Outcome>([
    ["a", moved],
    ["b", failed],
    ["c", overtaken],
    ["e", unconfirmed],
  ]);
  expect(openIds(["a", "b", "c", "d", "e"], outcomes)).toEqual(["b", "d", "e"]);
});

test("a second attempt confirms only the warning that was shown", async () => {
  vi.stubGlobal("fetch", async () =>
    Response.json({ id: "order", status: "Shipped", changed: true }),
  );
  const order = anOrder({ payment_issues: [anIssue({ kind: "disputed" })] });
  const move = { id: "order", to: "Shipped" } as const;
  const attempt = (earlier?: Outcome) => attemptMove(move, async () => order, earlier);
  const warned = await attempt();
  expect(warned.kind).toBe("unconfirmed");
  expect(await attempt(unconfirmed)).toEqual(warned);
  expect(await attempt(failed)).toEqual(warned);
  expect(await attempt(warned)).toEqual(moved);
});

test("the report lists the orders that have not moved, and notes", () => {
  const outcomes = new Map<string, Outcome>([
    ["11111111-1", moved],
    ["22222222-2", overtaken],
    ["33333333-3", failed],
    ["44444444-4", unconfirmed],
  ]);
  expect(moveReport("Shipped", outcomes, shortOrderId)).toEqual({
    kind: "error",
    title: "1 shipped, 3 not",
    description:
      "22222222: Shipped by Ada a moment ago. 33333333: Not shipped: the shop is away. 44444444: Not shipped yet: The shipping address was changed.",
  });
  expect(moveReport("Shipped", new Map([["a", moved]]), shortOrderId)).toEqual({
    kind: "success",
    title: "1 shipped",
    description: "",
  });
  const note: Outcome = { kind: "moved", text: "Cancelled. 1 loan may still be paid out." };
  expect(moveReport("Cancelled", new Map([["a", note]]), shortOrderId)).toEqual({
    kind: "success",
    title: "1 cancelled",
    description: "a: Cancelled. 1 loan may still be paid out.",
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
