import { expect, test } from "vitest";
import { changesAndDecisions, kindLabel, statementRows, vatRows } from "./statement.ts";

const sum = (kind: string, change: number, decided = 0) => ({ kind, entries: 1, change, decided });

test("each row has the balance at its end, and refunds that did not arrive are less refunded", () => {
  const rows = statementRows({
    opening: { held: 1_000, refund_due: 0 },
    periods: [
      {
        period: "2026-11-01",
        sums: [sum("received", 4_500), sum("refunded", -500)],
        change: 4_000,
      },
      {
        period: "2026-11-03",
        sums: [sum("reversed", -4_500), sum("refund-reversed", 500), sum("waived", 0, 100)],
        change: -4_000,
      },
    ],
  });
  expect(rows).toEqual([
    { period: "2026-11-01", received: 4_500, refunded: -500, balance: 5_000 },
    { period: "2026-11-03", received: -4_500, refunded: 500, balance: 1_000 },
  ]);
});

test("decisions of staff are apart from changes of the balance", () => {
  const [received, waived] = [sum("received", 4_500), sum("waived", 0, 500)];
  expect(changesAndDecisions([received, waived])).toEqual({
    changes: [received],
    decisions: [waived],
  });
});

test("a kind of a newer server is shown as it is", () => {
  expect(kindLabel("received")).toBe("Payouts received");
  expect(kindLabel("lost")).toBe("lost");
});

test("the VAT of each rate has its net amount, and the last row the totals", () => {
  const rates = [
    { rate: 1_900, receipts: 11_900, credit_notes: 1_190, vat: 1_710 },
    { rate: null, receipts: 500, credit_notes: 0, vat: 0 },
  ];
  expect(vatRows(rates)).toEqual([
    { label: "19 %", sums: [11_900, 1_190, 9_000, 1_710], isTotal: false },
    { label: "No VAT", sums: [500, 0, 500, 0], isTotal: false },
    { label: "Total", sums: [12_400, 1_190, 9_500, 1_710], isTotal: true },
  ]);
});
