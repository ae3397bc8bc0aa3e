import fc from "fast-check";
import { expect, test } from "vitest";
import { safeCell, unsafeCell } from "./formula-cells.ts";

const hostile = fc.string({ unit: fc.constantFrom(..."x;=+-@'\"\t\r\n ＝,") });

test("no part of a cell is run, whether a spreadsheet divides it at semicolons, tabs or line breaks", () => {
  expect(safeCell("x;=cmd|' /C calc'!A0;")).toBe("x;'=cmd|' /C calc'!A0;");
  expect(safeCell("=1+1")).toBe("'=1+1");
  expect(safeCell("Ada; Lovelace - Street 5")).toBe("Ada; Lovelace - Street 5");
  fc.assert(
    fc.property(hostile, (text) => {
      for (const part of safeCell(text).split(/[;\t\r\n]/))
        expect(part).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/);
    }),
    { examples: [["x;=cmd"], ['x; "=cmd'], ["x\n\n@b"], ["a\t-1"]] },
  );
});

test("a cell is read as the text that was written", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(unsafeCell(safeCell(text))).toBe(text);
    }),
  );
});
