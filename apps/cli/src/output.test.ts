import { expect, test } from "vitest";
import { formatTime, json, labelled, printable, table } from "./output.ts";

test("a table has columns, with numbers at the right", () => {
  const columns = [
    { head: "A", cell: ([name = ""]: string[]) => name },
    { head: "N", right: true, cell: ([, count = ""]: string[]) => count },
  ];
  const rows = [
    ["long", "1"],
    ["x", "100"],
  ];
  expect(table(columns, rows, 80)).toBe("A       N\nlong    1\nx     100");
});

test("the notes of a row stand below it, wrapped beside its first column", () => {
  const columns = [{ head: "SEEN", cell: (row: string) => row }];
  const notes = (row: string) => [`${row} is a note that is wrapped`];
  expect(table(columns, ["a", "b"], 20, notes)).toBe(
    [
      "SEEN",
      "a",
      "      a is a note",
      "      that is",
      "      wrapped",
      "b",
      "      b is a note",
      "      that is",
      "      wrapped",
    ].join("\n"),
  );
});

test.each([
  ["\u001b[31mred"],
  ["a\rb"],
  ["a\nb"],
  ["\u202eabc"],
  ["\u0007"],
  ["\u009b31m"],
  ["\u200b"],
  ["\u2028"],
  ["\u{e0041}"],
])("%j is cleaned before it reaches the terminal", (text) => {
  expect(printable(text)).not.toBe(text);
  expect(printable(text)).toContain("\ufffd");
  expect(table([{ head: "A", cell: String }], [text], 80).split("\n")).toHaveLength(2);
  expect(json({ text })).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(json({ text }))).toEqual({ text });
  expect(JSON.parse(json({ text }, 2))).toEqual({ text });
});

test("names in any script are left unchanged", () => {
  const names = "Ada 李 Ñandú Ольга ö";
  expect(printable(names)).toBe(names);
});

test.each([
  [
    "Latin",
    "Bob"
      .padEnd(26)
      .concat("1a2b3c4d  2026-11-22 10:00  PaymentProcessed  $9,999.00")
      .padEnd(200, "x"),
  ],
  ["wide", "李".repeat(200)],
  ["emoji", "🦊".repeat(200)],
])("a long %s cell is cut to the width of its column, so that no row wraps", (_, name) => {
  const columns = [
    { head: "ORDER", cell: () => "1a2b3c4d" },
    { head: "STATUS", cell: () => "Pending" },
    { head: "CUSTOMER", fill: true, cell: String },
  ];
  const lines = table(columns, [name], 60).split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/…$/);
  const width = [...(lines[1] ?? "")].reduce(
    (sum, character) => sum + (/[李🦊]/u.test(character) ? 2 : 1),
    0,
  );
  expect(width).toBeLessThanOrEqual(60);
  expect(width).toBeGreaterThan(56);
});

test("a long text after a label is indented on every further line", () => {
  const text = `Bob${" ".repeat(70)}Status  PaymentProcessed ${"x".repeat(100)}`;
  const lines = labelled("For", text, { indent: 8, width: 40 }).split("\n");
  expect(lines[0]).toBe("For     Bob Status PaymentProcessed");
  expect(lines.slice(1).join("").replaceAll(" ", "")).toBe("x".repeat(100));
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  for (const line of lines.slice(1)) expect(line).toMatch(/^ {8}\S/);
  expect(labelled("To", "", { indent: 8, width: 40 }).trimEnd()).toBe("To");
});

test("formatted times sort by time", () => {
  expect(formatTime(1_751_371_200_000)).toBe("2025-07-01 12:00");
});
