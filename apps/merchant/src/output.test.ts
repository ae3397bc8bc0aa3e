import { expect, test } from "vitest";
import { formatTime, printable, table } from "./output.ts";

test("a table has columns, with numbers at the right", () => {
  expect(
    table(
      ["A", "N"],
      [
        ["long", "1"],
        ["x", "100"],
      ],
      [1],
    ),
  ).toBe("A       N\nlong    1\nx     100");
});

test.each(["\u001b[31mred", "a\rb", "a\nb", "\u202eabc", "\u0007", "\u009b31m", "\u200b", "\u2028"])(
  "%j cannot reach the terminal as it is",
  (text) => {
    expect(printable(text)).not.toBe(text);
    expect(printable(text)).toContain("\ufffd");
    expect(table(["A"], [[text]]).split("\n")).toHaveLength(2);
  },
);

test("names of all the world are left as they are", () => {
  const names = "Ada 李 Ñandú Ольга ö";
  expect(printable(names)).toBe(names);
});

test("times sort", () => {
  expect(formatTime(1_751_371_200)).toBe("2025-07-01 12:00");
});
