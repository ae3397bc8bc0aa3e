import type { BookPeriod, CurrencyBooks, KindSum } from "@keepsats/protocol";
import { classes } from "@keepsats/ui/classes.ts";
import type { ReactNode } from "react";
import { Empty } from "../../ui/loaded.tsx";
import { Section } from "../../ui/screen.tsx";
import { Figures, Money } from "../../ui/values.tsx";
import { periodLabel } from "./period.ts";
import { kindLabel, movesAndDecisions, statementRows } from "./statement.ts";

interface CurrencySectionProps {
  readonly books: CurrencyBooks;
  readonly by: BookPeriod;
  readonly title: string;
}

/** The balances and sums in one currency. */
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

const cell = "py-1.5 pl-3 text-right whitespace-nowrap";

function Heading({ children }: { children: ReactNode }) {
  return (
    <th scope="col" className={classes(cell, "font-medium")}>
      {children}
    </th>
  );
}

function KindTable({ books: { currency, sums, opening, closing } }: { books: CurrencyBooks }) {
  const { moves, decisions } = movesAndDecisions(sums);
  const row = ({ kind, entries }: KindSum, cents: number) => (
    <tr key={kind}>
      <th scope="row" className="py-1.5 font-normal">
        {kindLabel(kind)}
      </th>
      <td className={classes(cell, "money text-ink-soft")}>{entries.toLocaleString("en")}</td>
      <td className={cell}>
        <Money cents={cents} currency={currency} />
      </td>
    </tr>
  );
  return (
    <table className="w-full self-start text-left">
      <caption className="sr-only">Sums by kind</caption>
      <thead className="border-b border-line text-sm text-ink-soft">
        <tr>
          <th scope="col" className="py-1.5 font-medium">
            Kind
          </th>
          <Heading>Entries</Heading>
          <Heading>Amount</Heading>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {moves.map((sum) => row(sum, sum.change))}
        <tr className="font-medium">
          <th scope="row" colSpan={2} className="py-1.5 font-medium">
            Change of the balance
          </th>
          <td className={cell}>
            <Money cents={closing.held - opening.held} currency={currency} />
          </td>
        </tr>
      </tbody>
      {decisions.length > 0 && (
        <tbody className="divide-y divide-line">
          <tr>
            <th
              scope="colgroup"
              colSpan={3}
              className="pt-5 pb-1.5 text-sm font-medium text-ink-soft"
            >
              Decisions of staff, which move no money
            </th>
          </tr>
          {decisions.map((sum) => row(sum, sum.decided))}
        </tbody>
      )}
    </table>
  );
}

function PeriodTable({ books, by }: { books: CurrencyBooks; by: BookPeriod }) {
  const { currency } = books;
  return (
    <table className="w-full self-start text-left max-sm:text-sm">
      <caption className="sr-only">{by === "day" ? "Sums by day" : "Sums by month"}</caption>
      <thead className="border-b border-line text-sm text-ink-soft">
        <tr>
          <th scope="col" className="py-1.5 font-medium">
            {by === "day" ? "Day" : "Month"}
          </th>
          <Heading>Received</Heading>
          <Heading>Refunded</Heading>
          <Heading>Balance</Heading>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {statementRows(books).map(({ period, received, refunded, balance }) => (
          <tr key={period}>
            <th scope="row" className="py-1.5 font-normal">
              {periodLabel(period)}
            </th>
            {Object.entries({ received, refunded, balance }).map(([column, cents]) => (
              <td key={column} className={cell}>
                <Money cents={cents} currency={currency} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
