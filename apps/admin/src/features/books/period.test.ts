import { describe, expect, test } from "vitest";
import { dayOrMonthLabel, monthBefore, parametersOf, parsePeriod, withDays } from "./period.ts";

const utc = (text: string) => ({ now: Date.parse(text), timeZone: "UTC" });
const now = utc("2026-01-31T23:59:59Z");

test("a month has its first and its last day, also before January and in a leap year", () => {
  expect(monthBefore(now, 0)).toEqual({ from: "2026-01-01", to: "2026-01-31" });
  expect(monthBefore(now, 1)).toEqual({ from: "2025-12-01", to: "2025-12-31" });
  expect(monthBefore(utc("2028-03-31"), 1)).toEqual({
    from: "2028-02-01",
    to: "2028-02-29",
  });
});

test("a month begins in the shop's time zone", () => {
  const inBerlin = monthBefore({ ...now, timeZone: "Europe/Berlin" }, 0);
  expect(inBerlin).toEqual({ from: "2026-02-01", to: "2026-02-28" });
  const inNewYork = { now: Date.parse("2026-02-01T04:59:59Z"), timeZone: "America/New_York" };
  expect(monthBefore(inNewYork, 0)).toEqual({ from: "2026-01-01", to: "2026-01-31" });
});

describe("the period of an address", () => {
  const parse = (query: string) => parsePeriod(new URLSearchParams(query), now);

  test("is this month by day without parameters", () => {
    expect(parse("")).toEqual({ from: "2026-01-01", to: "2026-01-31", by: "day" });
  });
  test("has no limit where a day is empty or invalid", () => {
    expect(parse("from=&to=soon&by=month")).toEqual({ from: "", to: "", by: "month" });
  });
  test("is the one that was written into it", () => {
    const period = { from: "2026-01-01", to: "", by: "month" } as const;
    expect(parsePeriod(parametersOf(period), now)).toEqual(period);
  });
});

test("a request has only the limits that there are", () => {
  expect(withDays("/j", { from: "", to: "" })).toBe("/j");
  expect(withDays("/j", { from: "2026-01-01", to: "" }, "day")).toBe("/j?from=2026-01-01&by=day");
});

test.each([
  ["2026-11-03", "Nov 3, 2026"],
  ["2026-11", "Nov 2026"],
])("the label of %s is %s", (period, label) => {
  expect(dayOrMonthLabel(period)).toBe(label);
});
