import { timeZones } from "@keepsats/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dateNamed, dayAt, dayOn, daysBefore, daysIn, lastDays } from "./calendar-day.ts";
import { HOUR } from "./clock.ts";

const at = (text: string) => Date.parse(text);

test.each([
  ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00Z", 23],
  ["2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00Z", 25],
  ["2026-11-01", "America/New_York", "2026-11-01T04:00:00Z", 25],
  ["2026-11-03", "Asia/Kathmandu", "2026-11-02T18:15:00Z", 24],
  // This day began at 01:00.
  ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00Z", 23],
  // The zone skipped this day.
  ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00Z", 0],
  ["2011-12-31", "Pacific/Apia", "2011-12-30T10:00:00Z", 24],
])("%s in %s begins at %s and has %d hours", (name, timeZone, start, hours) => {
  const date = dateNamed(name);
  expect(date && dayOn(date, timeZone)).toEqual({
    name,
    start: at(start),
    end: at(start) + hours * HOUR,
  });
});

test.each(["2026-02-30", "2026-13-01", "soon"])("the calendar does not have the day %s", (name) => {
  expect(dateNamed(name)).toBeUndefined();
});

test("a time is in exactly one day, in every time zone", () => {
  const time = fc.integer({ min: 0, max: at("2040-01-01") });
  fc.assert(
    fc.property(time, fc.constantFrom(...timeZones()), (time, timeZone) => {
      const day = dayAt(time, timeZone);
      expect(day.start).toBeLessThanOrEqual(time);
      expect(day.end).toBeGreaterThan(time);
      expect(dayAt(day.end, timeZone).start).toBe(day.end);
      expect(dayAt(day.start - 1, timeZone).end).toBe(day.start);
    }),
    { numRuns: 1_000 },
  );
});

test("where clocks were set back over midnight, the first midnight ended the day", () => {
  // At 00:01 on November 2 it was 23:01 on November 1 again.
  const again = at("2008-11-02T03:00:00Z");
  expect(dayAt(again, "America/St_Johns").name).toBe("2008-11-02");
});

test("the days of a span have no gap and no overlap", () => {
  const span = { start: at("2011-12-28"), end: at("2012-01-02") };
  const days = daysIn(span, "Pacific/Apia");
  expect(days.map(({ name }) => name.slice(5))).toEqual([
    "12-27",
    "12-28",
    "12-29",
    "12-30",
    "12-31",
    "01-01",
    "01-02",
  ]);
  for (const [n, { end }] of days.slice(0, -1).entries()) expect(days[n + 1]?.start).toBe(end);
  expect({ start: days.at(0)?.start, end: days.at(-1)?.end }).toEqual(span);
});

test("the last days end with today, and are as many as asked for", () => {
  const days = lastDays(at("2026-11-03T02:00:00Z"), 30, "America/New_York");
  expect(days).toHaveLength(30);
  expect([days.at(0)?.name, days.at(-1)?.name]).toEqual(["2026-10-04", "2026-11-02"]);
});

test("the same time of the day is kept when clocks change", () => {
  expect(daysBefore(at("2026-11-02T15:00:00Z"), 7, "America/New_York")).toBe(
    at("2026-10-26T14:00:00Z"),
  );
});
