import { expect, test } from "vitest";
import { isTimeZone, timeZones } from "./time-zone.ts";

test.each([
  "UTC",
  "Europe/Berlin",
  "Asia/Kathmandu",
  "America/Argentina/Buenos_Aires",
  "America/Port-au-Prince",
  "Etc/GMT+5",
])("%s is a time zone", (name) => {
  expect(isTimeZone(name)).toBe(true);
});

test.each([
  "",
  "Berlin",
  "Europe/Atlantis",
  "Europe/Berlin ",
  "PST",
  "+01:00",
  "SystemV/AST4",
  "Etc/Unknown",
  "Asia/../Tokyo",
])("%j is not a time zone", (name) => {
  expect(isTimeZone(name)).toBe(false);
});

test("every listed name is a time zone, and UTC is the first", () => {
  expect(timeZones()[0]).toBe("UTC");
  expect(timeZones()).toContain("Pacific/Apia");
  expect(timeZones().filter((name) => !isTimeZone(name))).toEqual([]);
});
