import { expect, test } from "vitest";
import { type Day, dayFigures, dayLabel, type Totals, totalsOf } from "./days-section.tsx";

function buildDay(day: string, placed = 1): Day {
  return { day, placed, paid: placed, paid_amount: placed * 1_000 };
}

test("a day has the same label in every time zone", () => {
  expect(dayLabel(buildDay("2026-11-03"))).toBe("Nov 3");
});

test("the figures of days are their orders, their paid orders and their money", () => {
  const days = [
    buildDay("2026-11-02", 2),
    { ...buildDay("2026-11-03", 3), paid: 1, paid_amount: 50 },
  ];
  expect(totalsOf(days)).toEqual({ placed: 5, paid: 3, paid_amount: 2_050 });
  expect(dayFigures(totalsOf(days))).toEqual([
    { label: "Orders", text: "5" },
    { label: "Paid", text: "3" },
    { label: "Received, less refunds", text: "$20.50" },
  ]);
  const texts = (totals: Totals) => dayFigures(totals).map(({ text }) => text);
  expect(texts({ placed: 1_200, paid: 0, paid_amount: 0 })).toEqual(["1,200", "0", "$0.00"]);
  expect(texts(totalsOf([]))).toEqual(["0", "0", "$0.00"]);
  expect(texts({ placed: 0, paid: 0, paid_amount: -1_200 })).toEqual(["0", "0", "−$12.00"]);
});
