import { afterEach, expect, test, vi } from "vitest";
import { anIssue, anOrder } from "../../lib/order.test-data.ts";
import type { Outcome } from "../../lib/use-bulk.ts";
import { attemptMove, movable, pasteLines } from "./bulk-moves.ts";

afterEach(() => void vi.unstubAllGlobals());

const moved: Outcome = { kind: "done", text: "Shipped" };
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
