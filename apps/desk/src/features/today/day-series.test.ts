import { expect, test } from "vitest";
import { type Day, dayText, highestDay, sumOf, sumText, withoutGaps } from "./day-series.ts";

function someDay(day: string, placed = 1): Day {
  return { day, placed, paid: placed, paid_amount: placed * 1_000 };
}

test("days that are missing are filled in, over the end of a month and a change of clocks", () => {
  const series = withoutGaps([someDay("2026-11-02", 4), someDay("2026-10-24")]);
  expect(series.map(({ day }) => day)).toEqual([
    ...["2026-10-24", "2026-10-25", "2026-10-26", "2026-10-27", "2026-10-28", "2026-10-29"],
    ...["2026-10-30", "2026-10-31", "2026-11-01", "2026-11-02"],
  ]);
  expect(series.map(({ placed }) => placed)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 4]);
});

test("a series without gaps stays what it is, and an empty one is empty", () => {
  const days = [someDay("2028-02-28"), someDay("2028-02-29"), someDay("2028-03-01")];
  expect(withoutGaps(days)).toEqual(days);
  expect(withoutGaps([])).toEqual([]);
});

test("a day that is no day is left out", () => {
  expect(withoutGaps([someDay("today"), someDay("2026-11-02")])).toEqual([someDay("2026-11-02")]);
});

test("a day has the same name everywhere", () => {
  expect(dayText(someDay("2026-11-03"))).toBe("Nov 3");
});

test("the sum of days is told in words", () => {
  const days = [
    someDay("2026-11-02", 2),
    { ...someDay("2026-11-03", 3), paid: 1, paid_amount: 50 },
  ];
  expect(sumOf(days)).toEqual({ placed: 5, paid: 3, paid_amount: 2_050 });
  expect(sumText(sumOf(days))).toBe("5 orders placed, 3 of them paid. Received: $20.50");
  expect(sumText({ placed: 1, paid: 0, paid_amount: 0 })).toBe("1 order placed, none of them paid");
  expect(sumText(sumOf([]))).toBe("no orders placed");
  expect(sumText({ placed: 0, paid: 0, paid_amount: -1_200 })).toBe(
    "no orders placed. Received: −$12.00",
  );
});

test("the highest day is the earliest of several, and no day where nothing happened", () => {
  const days = [someDay("2026-11-01", 0), someDay("2026-11-02", 7), someDay("2026-11-03", 7)];
  expect(highestDay(days, ({ placed }) => placed)?.day).toBe("2026-11-02");
  expect(highestDay(days.slice(0, 1), ({ placed }) => placed)).toBeUndefined();
});
