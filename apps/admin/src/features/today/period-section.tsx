import {
  type PeriodFigures,
  type PeriodLength,
  periodLengths,
  type Today,
} from "@keepsats/protocol";
import { classes } from "@keepsats/ui/classes.ts";
import { Link } from "react-router";
import { amountText } from "../../lib/format.ts";

interface PeriodChoiceProps {
  readonly chosen: PeriodLength;
  readonly onChoose: (days: PeriodLength) => void;
}

export function PeriodChoice({ chosen, onChoose }: PeriodChoiceProps) {
  return (
    <fieldset className="flex rounded-md border border-line-strong">
      <legend className="sr-only">Period</legend>
      {periodLengths.map((days) => (
        <button
          key={days}
          type="button"
          aria-pressed={days === chosen}
          onClick={() => onChoose(days)}
          className={classes(
            "min-h-11 rounded-md px-4 transition-colors",
            days === chosen ? "bg-ink font-medium text-paper" : "hover:bg-sunken",
          )}
        >
          {periodLabels[days].name}
        </button>
      ))}
    </fieldset>
  );
}

export function LargeFigures({ today, days }: { today: Today; days: PeriodLength }) {
  const period = today.periods?.find((one) => one.days === days);
  if (period === undefined) return null;
  return (
    <section aria-label="Figures">
      <dl className="grid gap-3 pb-6 sm:grid-cols-3">
        {largeFigures(period, today.to_ship).map(({ label, text, note, to }) => (
          <div
            key={label}
            className="relative grid grid-cols-[1fr_auto] items-baseline gap-x-4 rounded-lg border border-line bg-raised px-4 py-3 sm:block"
          >
            <dt className="text-ink-soft">{label}</dt>
            <dd className="money text-2xl font-bold max-sm:row-span-2 max-sm:self-center">
              {to === undefined ? (
                text
              ) : (
                <Link to={to} className="after:absolute after:inset-0 hover:underline">
                  {text}
                </Link>
              )}
            </dd>
            <dd className="text-sm text-ink-soft">{note}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface PeriodLabels {
  /** On the button that chooses it. */
  readonly name: string;
  /** The period before, as in "+12% vs. yesterday". */
  readonly before: string;
  /** The time before the period, as in "+12% vs. the end of yesterday". */
  readonly end: string;
}

const periodLabels: Readonly<Record<PeriodLength, PeriodLabels>> = {
  1: { name: "Today", before: "yesterday, same time", end: "the end of yesterday" },
  7: { name: "7 days", before: "the 7 days before", end: "the end of the 7 days before" },
  30: { name: "30 days", before: "the 30 days before", end: "the end of the 30 days before" },
};

/** Parses the period of an address such as `?days=7`; today by default. */
export function parsePeriodLength(days: string | null): PeriodLength {
  return periodLengths.find((length) => String(length) === days) ?? 1;
}

interface Change {
  readonly now: number;
  readonly before: number;
  readonly textOf: (value: number) => string;
}

/**
 * The change of a figure: `+12% vs. the 7 days before`. Without a positive figure before there is no
 * percentage, but the figure before: `$0.00 before`.
 *
 * @param label of the period before
 */
export function changeText({ now, before, textOf }: Change, label: string): string {
  if (before <= 0) return `${textOf(before)} before`;
  const percent = Math.round((100 * (now - before)) / before);
  const text = `${Math.abs(percent).toLocaleString("en")}%`;
  const sign = percent === 0 ? "±" : percent > 0 ? "+" : "−";
  return `${sign}${text} vs. ${label}`;
}

/** The three large figures of a period, each with its change. */
export function largeFigures(period: PeriodFigures, toShip: number) {
  const { days, orders, orders_before, revenue, revenue_before, to_ship_before } = period;
  const { before, end } = periodLabels[days];
  const countText = (value: number) => value.toLocaleString("en");
  return [
    {
      label: "Orders",
      text: countText(orders),
      note: changeText({ now: orders, before: orders_before, textOf: countText }, before),
    },
    {
      label: "Revenue",
      text: amountText(revenue),
      note: changeText({ now: revenue, before: revenue_before, textOf: amountText }, before),
    },
    {
      label: "To ship",
      text: countText(toShip),
      note:
        to_ship_before <= 0
          ? `${countText(to_ship_before)} at ${end}`
          : changeText({ now: toShip, before: to_ship_before, textOf: countText }, end),
      to: "/orders?status=PaymentProcessed",
    },
  ];
}
