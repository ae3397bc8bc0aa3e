import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeCell, unescapeCell } from "./csv-injection.ts";

const hostile = fc.string({ unit: fc.constantFrom(..."x;=+-@'\"\t\r\n ＝,") });

test("no part of a cell is a formula, even if it is split at semicolons, tabs or line breaks", () => {
  expect(escapeCell("x;=cmd|' /C calc'!A0;")).toBe("x;'=cmd|' /C calc'!A0;");
  expect(escapeCell("=1+1")).toBe("'=1+1");
  expect(escapeCell("Ada; Lovelace - Street 5")).toBe("Ada; Lovelace - Street 5");
  fc.assert(
    fc.property(hostile, (text) => {
      for (const part of escapeCell(text).split(/[;\t\r\n]/))
        expect(part).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/);
    }),
    { examples: [["x;=cmd"], ['x; "=cmd'], ["x\n\n@b"], ["a\t-1"]] },
  );
});

test.each([
  "01234",
  "00340434161094042557",
  "123456789012",
  "12345E67",
  "1.10",
  "3/4",
  "1-2",
  "12:30",
  "(12)",
  "'01234",
])("a spreadsheet does not change the digits of %s", (text) => {
  expect(escapeCell(text)).toBe(`'${text}`);
});

test.each([
  "",
  "0",
  "10115",
  "12345678901",
  "SW1Y 4JH",
  "12 Main Street",
  "'s-Gravenhage",
  "1Z999AA10123456784",
  "Ada",
])("%j needs no apostrophe", (text) => expect(escapeCell(text)).toBe(text));

test("unescaping returns the original text", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0123' -.,:/eE%()=") });
  fc.assert(
    fc.property(fc.oneof(hostile, digits), (text) => {
      expect(unescapeCell(escapeCell(text))).toBe(text);
    }),
  );
});
