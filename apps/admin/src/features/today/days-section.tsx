import type { Today } from "@keepsats/protocol";
import { classes } from "@keepsats/ui/classes.ts";
import { type ReactNode, useId, useState } from "react";
import { amountText } from "../../lib/format.ts";
import { useTimeZone } from "../../lib/session.ts";
import { FigureTable } from "../../ui/figure-table.tsx";
import { Section } from "../../ui/screen.tsx";
import { BarPlot, scaleMoneyText, scaleText, topOf, topOfMoney } from "./bar-plot.tsx";

export function DaysSection({ days }: { days: readonly Day[] }) {
  const [pointed, setPointed] = useState<string>();
  const timeZone = useTimeZone();
  const shown = days.find(({ day }) => day === pointed);
  const title = `Last ${days.length} days`;
  const highest = Math.max(0, ...days.map(({ placed }) => placed));
  const highestAmount = Math.max(0, ...days.map(({ paid_amount }) => paid_amount));
  const shared = { pointed, onPoint: setPointed };
  return (
    <Section title={title}>
      {shown === undefined ? (
        <DayFigures title={`All ${days.length} days`} totals={totalsOf(days)} />
      ) : (
        <DayFigures title={dayLabel(shown)} totals={shown} />
      )}
      <div className="grid gap-x-10 gap-y-6 pt-3 xl:grid-cols-2">
        <Figure
          days={days}
          caption={
            <>
              <Swatch className="bg-line-strong">Orders placed</Swatch>
              <Swatch className="bg-accent-edge">Paid</Swatch>
            </>
          }
        >
          <BarPlot
            {...shared}
            label="Orders placed on each day"
            bars={days.map(({ day, placed, paid }) => ({ key: day, value: placed, part: paid }))}
            top={topOf(highest)}
            textOf={scaleText}
          />
        </Figure>
        {highestAmount > 0 && (
          <Figure
            days={days}
            caption={<Swatch className="bg-accent-edge">Received, less refunds</Swatch>}
          >
            <BarPlot
              {...shared}
              label="Received on each day, less refunds"
              bars={days.map(({ day, paid_amount }) => ({
                key: day,
                value: 0,
                part: Math.max(0, paid_amount),
              }))}
              top={topOfMoney(highestAmount)}
              textOf={scaleMoneyText}
            />
          </Figure>
        )}
      </div>
      <details className="pt-3">
        <summary className="inline-flex min-h-11 items-center underline underline-offset-4">
          As a table
        </summary>
        <p className="pb-2 text-sm text-ink-soft">Days are those of {timeZone}.</p>
        <FigureTable
          caption={`${title}, newest first`}
          columns={["Day", "Placed", "Paid", "Received, less refunds"]}
          rows={days.toReversed().map((day) => ({
            key: day.day,
            label: dayLabel(day),
            figures: dayFigures(day).map(({ text }) => text),
          }))}
          className="max-w-lg"
        />
      </details>
    </Section>
  );
}

/** The columns do not wrap, so nothing moves while the pointer passes over the plots. */
function DayFigures({ title, totals }: { title: string; totals: Totals }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <p id={id} className="font-medium">
        {title}
      </p>
      <dl className="grid grid-cols-[auto_auto_1fr] gap-x-8">
        {dayFigures(totals).map(({ label, text }) => (
          <div key={label}>
            <dt className="text-sm text-ink-soft">{label}</dt>
            <dd className="money text-lg">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface FigureProps {
  readonly days: readonly Day[];
  readonly caption: ReactNode;
  readonly children: ReactNode;
}

function Figure({ days, caption, children }: FigureProps) {
  const first = days[0];
  return (
    <figure className="min-w-0">
      <figcaption className="mb-5 flex flex-wrap gap-x-5 text-sm">{caption}</figcaption>
      {children}
      <p aria-hidden className="flex justify-between pt-1 pl-14 text-sm text-ink-soft">
        <span>{first !== undefined && dayLabel(first)}</span>
        <span>Today</span>
      </p>
    </figure>
  );
}

function Swatch({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className={classes("size-2.5 rounded-sm", className)} />
      {children}
    </span>
  );
}

export type Day = Today["days"][number];

const format = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });

/** `2026-11-03` → `Nov 3`. */
export function dayLabel({ day }: Day): string {
  return format.format(Date.parse(day));
}

export type Totals = Omit<Day, "day">;

export function totalsOf(days: readonly Day[]): Totals {
  return days.reduce<Totals>(
    (sum, { placed, paid, paid_amount }) => ({
      placed: sum.placed + placed,
      paid: sum.paid + paid,
      paid_amount: sum.paid_amount + paid_amount,
    }),
    { placed: 0, paid: 0, paid_amount: 0 },
  );
}

/**
 * The figures of one or several days. The amount is the money of these days less their refunds,
 * whenever its orders were placed.
 */
export function dayFigures({ placed, paid, paid_amount }: Totals) {
  return [
    { label: "Orders", text: placed.toLocaleString("en") },
    { label: "Paid", text: paid.toLocaleString("en") },
    { label: "Received, less refunds", text: amountText(paid_amount) },
  ];
}
