import type { Cents } from "@keepsats/domain";
import type { BooksInterval, CurrencyBooks, KindSum } from "@keepsats/protocol";
import { amountText } from "../../lib/format.ts";
import { decisionRows, type FigureRow, FigureTable } from "../../ui/figure-table.tsx";
import { Empty } from "../../ui/loaded.tsx";
import { Section } from "../../ui/screen.tsx";
import { Figures } from "../../ui/values.tsx";
import { dayOrMonthLabel } from "./period.ts";
import { changesAndDecisions, kindLabel, statementRows } from "./statement.ts";

interface CurrencySectionProps {
  readonly books: CurrencyBooks;
  readonly by: BooksInterval;
  readonly title: string;
}

export function CurrencySection({ books, by, title }: CurrencySectionProps) {
  const { currency, opening, closing, sums } = books;
  const figures = [
    { label: "Opening balance", cents: opening.held },
    { label: "Closing balance", cents: closing.held },
    { label: "Opening refund due", cents: opening.refund_due },
    { label: "Closing refund due", cents: closing.refund_due },
  ];
  return (
    <Section title={title}>
      <Figures figures={figures.map((figure) => ({ ...figure, currency }))} />
      <p className="mb-5 text-sm text-ink-soft">
        Balance = received − refunded. It includes any refund due.
      </p>
      {sums.length === 0 ? (
        <Empty>No entries in this period.</Empty>
      ) : (
        <div className="grid gap-x-10 gap-y-6 xl:grid-cols-2">
          <KindTable books={books} />
          <PeriodTable books={books} by={by} />
        </div>
      )}
    </Section>
  );
}

function KindTable({ books: { currency, sums, opening, closing } }: { books: CurrencyBooks }) {
  const { changes, decisions } = changesAndDecisions(sums);
  const row = ({ kind, entries }: KindSum, cents: Cents): FigureRow => ({
    key: kind,
    label: kindLabel(kind),
    figures: [entries.toLocaleString("en"), amountText(cents, currency)],
  });
  const total: FigureRow = {
    key: "total",
    label: "Change of the balance",
    figures: ["", amountText(closing.held - opening.held, currency)],
    isTotal: true,
  };
  return (
    <FigureTable
      caption="Sums by kind"
      columns={["Kind", "Entries", "Amount"]}
      rows={[
        ...changes.map((sum) => row(sum, sum.change)),
        total,
        ...decisionRows(decisions.map((sum) => row(sum, sum.decided))),
      ]}
    />
  );
}

function PeriodTable({ books, by }: { books: CurrencyBooks; by: BooksInterval }) {
  return (
    <FigureTable
      caption={by === "day" ? "Sums by day" : "Sums by month"}
      columns={[by === "day" ? "Day" : "Month", "Received", "Refunded", "Balance"]}
      rows={statementRows(books).map(({ period, received, refunded, balance }) => ({
        key: period,
        label: dayOrMonthLabel(period),
        figures: [received, refunded, balance].map((cents) => amountText(cents, books.currency)),
      }))}
      className="max-sm:text-sm"
    />
  );
}
