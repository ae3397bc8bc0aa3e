import { expect, test } from "vitest";
import {
  creditSums,
  formatVatRate,
  receiptSums,
  sumsLeft,
  type TaxedAmount,
  type VatSum,
  vatIn,
  vatRateFromPercent,
} from "./vat.ts";

test.each([
  [11_900, 1_900, 1_900],
  [4_500, 1_900, 718],
  [4_500, 700, 294],
  [1, 1_900, 0],
  [3, 1_900, 0],
  [4, 1_900, 1],
  // 1.5 and 2.5 cents.
  [3, 10_000, 2],
  [5, 10_000, 3],
  [4_500, 0, 0],
  [0, 1_900, 0],
  [9_007_199_254_740_991, 10_000, 4_503_599_627_370_496],
])(
  "%i cents at %i basis points include %i cents of tax, half a cent rounded up",
  (gross, rate, vat) => {
    expect(vatIn(gross, rate)).toBe(vat);
  },
);

test.each([
  ["19", 1_900],
  ["7.5", 750],
  ["0", 0],
  ["100", 10_000],
  [8.1, 810],
  ["100.01", undefined],
  ["7.555", undefined],
  ["-1", undefined],
  ["", undefined],
  ["7,5", undefined],
])("%j percent is the rate %j", (percent, rate) => {
  expect(vatRateFromPercent(percent)).toBe(rate);
});

test("a rate is written in percent without trailing zeros", () => {
  expect([1_900, 750, 5, 0].map(formatVatRate)).toEqual(["19 %", "7.5 %", "0.05 %", "0 %"]);
});

test("the tax of a receipt is that of the sum of the lines of each rate", () => {
  const lines = [
    { rate: 700, gross: 333 },
    { rate: 1_900, gross: 103 },
    { rate: 1_900, gross: 103 },
    { rate: null, gross: 50 },
  ];
  expect(receiptSums(lines, 589)).toEqual([
    { rate: 1_900, gross: 206, vat: 33 },
    { rate: 700, gross: 333, vat: 22 },
    { rate: null, gross: 50, vat: 0 },
  ]);
});

test("shipping costs and a price reduction are spread over the rates", () => {
  const lines = [
    { rate: 1_900, gross: 3_000 },
    { rate: 700, gross: 1_000 },
  ];
  expect(receiptSums(lines, 4_400)).toMatchObject([{ gross: 3_300 }, { gross: 1_100 }]);
  expect(receiptSums(lines, 3_999)).toMatchObject([{ gross: 2_999 }, { gross: 1_000 }]);
});

test("what is spread is rounded to the nearest cent, and its sum is exact", () => {
  const receipt = receiptSums(
    [
      { rate: 1_900, gross: 2_990 },
      { rate: 700, gross: 4_800 },
    ],
    7_790,
  );
  // 10.00 × 29.90 ÷ 77.90 = 3.838.
  expect(creditSums(receipt, { amount: 1_000, lines: [] })).toMatchObject([
    { gross: 384 },
    { gross: 616 },
  ]);
  const thirds = [1_900, 700, 0].map((rate) => ({ rate, gross: 100 }));
  expect(receiptSums(thirds, 200)).toMatchObject([{ gross: 67 }, { gross: 67 }, { gross: 66 }]);
  // 3.1, 3.45 and 3.45 cents: one of the largest remainders is rounded up.
  const uneven = [310, 345, 345].map((gross, index) => ({ rate: index, gross }));
  const parts = receiptSums(uneven, 10).map(({ rate, gross }) => `${rate}: ${gross}`);
  expect(parts).toEqual(["2: 4", "1: 3", "0: 3"]);
});

test.each([
  [21_500, 2_000, 319],
  [6_780, 3_390, 541],
])(
  "of %i cents with 19 percent tax, a credit note for %i has the tax of its own amount: %i",
  (total, amount, vat) => {
    const receipt = receiptSums([{ rate: 1_900, gross: total }], total);
    const credit = creditSums(receipt, { amount, lines: [] });
    expect(credit).toEqual([{ rate: 1_900, gross: amount, vat }]);
    const left = sumsLeft(receipt, credit);
    const rest = creditSums(left, { amount: total - amount, lines: [] });
    expect(sumsLeft(left, rest)).toEqual([{ rate: 1_900, gross: 0, vat: 0 }]);
  },
);

test("credit notes never credit more tax than the receipt has", () => {
  // 9 cents include 1.4 cents of tax, and 4 cents 0.6 cents: both are rounded to 1.
  let left = receiptSums([{ rate: 1_900, gross: 9 }], 9);
  expect(left).toMatchObject([{ vat: 1 }]);
  const taxes = [4, 4, 1].map((amount) => {
    const credit = creditSums(left, { amount, lines: [] });
    left = sumsLeft(left, credit);
    return credit[0]?.vat;
  });
  expect(taxes).toEqual([1, 0, 0]);
});

test("a credit note takes from the rates of its lines first", () => {
  const receipt = receiptSums(
    [
      { rate: 1_900, gross: 1_000 },
      { rate: 700, gross: 9_000 },
    ],
    10_000,
  );
  const lines = [{ rate: 1_900, gross: 1_000 }];
  expect(creditSums(receipt, { amount: 800, lines })).toEqual([
    { rate: 1_900, gross: 800, vat: 128 },
  ]);
  expect(creditSums(receipt, { amount: 1_500, lines })).toMatchObject([
    { rate: 1_900, gross: 1_000 },
    { rate: 700, gross: 500 },
  ]);
  expect(creditSums(receipt, { amount: 5_000, lines: [] })).toMatchObject([
    { rate: 1_900, gross: 500 },
    { rate: 700, gross: 4_500 },
  ]);
});

test("receipts and their credit notes agree to the cent under random histories", () => {
  const random = seeded(7);
  for (let round = 0; round < 500; round += 1) {
    const lines = Array.from({ length: 1 + random(5) }, () => ({
      rate: [1_900, 700, 0, null, 833][random(5)] ?? null,
      gross: 1 + random(100_000),
    }));
    const total = sumOf(lines) - random(Math.min(50, sumOf(lines)));
    const receipt = receiptSums(lines, total);
    expect(sumOf(receipt)).toBe(total);
    for (const { rate, gross, vat } of receipt) expect(vat).toBe(taxOf(rate, gross));
    let left = receipt;
    while (sumOf(left) > 0) {
      const amount = 1 + random(sumOf(left));
      const credit = creditSums(left, { amount, lines: lines.slice(0, random(lines.length + 1)) });
      expect(sumOf(credit)).toBe(amount);
      checkCredit(credit, left);
      left = sumsLeft(left, credit);
    }
    expect(left.every(({ gross, vat }) => gross === 0 && vat === 0)).toBe(true);
  }
});

/** @param left the sums before the credit note */
function checkCredit(credit: readonly VatSum[], left: readonly VatSum[]): void {
  for (const { rate, gross, vat } of credit) {
    const before = left.find((one) => one.rate === rate) ?? { gross: 0, vat: 0 };
    expect(gross).toBeGreaterThan(0);
    expect(gross).toBeLessThanOrEqual(before.gross);
    const isRest = gross === before.gross;
    expect(vat).toBe(isRest ? before.vat : Math.min(before.vat, taxOf(rate, gross)));
  }
}

function taxOf(rate: number | null, gross: number): number {
  return rate === null ? 0 : vatIn(gross, rate);
}

function sumOf(amounts: readonly TaxedAmount[]): number {
  return amounts.reduce((sum, { gross }) => sum + gross, 0);
}

/** A linear congruential generator, see Numerical Recipes. */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
