import type { PeriodFigures } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { changeText, largeFigures, parsePeriodLength } from "./period-section.tsx";

test.each([
  [112, 100, "+12% vs. yesterday"],
  [92, 100, "−8% vs. yesterday"],
  [100, 100, "±0% vs. yesterday"],
  [0, 7, "−100% vs. yesterday"],
  [90, 4, "+2,150% vs. yesterday"],
  [7, 0, "0 cents before"],
  [7, -5, "-5 cents before"],
])("%i after %i is shown as %j", (now, before, text) => {
  const textOf = (value: number) => `${value} cents`;
  expect(changeText({ now, before, textOf }, "yesterday")).toBe(text);
});

test("the address chooses the period, today by default", () => {
  expect(["7", "30", "8", null].map(parsePeriodLength)).toEqual([7, 30, 1, 1]);
});

test("without earlier orders to ship, the note names the moment", () => {
  const period = { days: 1, orders: 0, orders_before: 0, revenue: 0, revenue_before: 0 } as const;
  const [, , toShip] = largeFigures({ ...period, to_ship_before: 0 }, 2);
  expect(toShip).toMatchObject({ text: "2", note: "0 at the end of yesterday" });
});

test("the large figures are orders, revenue and orders to ship", () => {
  const period: PeriodFigures = {
    days: 7,
    orders: 1_200,
    orders_before: 1_000,
    revenue: -1_200,
    revenue_before: 0,
    to_ship_before: 3,
  };
  expect(largeFigures(period, 12)).toEqual([
    { label: "Orders", text: "1,200", note: "+20% vs. the 7 days before" },
    { label: "Revenue", text: "−$12.00", note: "$0.00 before" },
    {
      label: "To ship",
      text: "12",
      note: "+300% vs. the end of the 7 days before",
      to: "/orders?status=PaymentProcessed",
    },
  ]);
});
