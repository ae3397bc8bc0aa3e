import { expect, test } from "vitest";
import { sumsByRate } from "./vat-report.ts";

const part = (rate: number | null, receipts: number, credit_notes: number, vat: number) => ({
  rate,
  receipts,
  credit_notes,
  vat,
});

test("the sums of each rate are added up, the highest rate first and amounts without tax last", () => {
  expect(
    sumsByRate([
      part(null, 500, 0, 0),
      part(0, 100, 0, 0),
      part(700, 4_000, 0, 262),
      part(1_900, 10_000, 0, 1_597),
      part(700, 0, 2_000, -131),
      part(1_900, 4_500, 0, 718),
    ]),
  ).toEqual([
    part(1_900, 14_500, 0, 2_315),
    part(700, 4_000, 2_000, 131),
    part(0, 100, 0, 0),
    part(null, 500, 0, 0),
  ]);
});

test("more tax can be credited than charged in a period", () => {
  expect(sumsByRate([part(700, 0, 2_000, -131)])).toEqual([part(700, 0, 2_000, -131)]);
});
