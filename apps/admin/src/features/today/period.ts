import { type PeriodFigures, type PeriodLength, periodLengths } from "@keepsats/protocol";
import { amountText } from "../../lib/format.ts";

interface PeriodLabels {
  /** On the button that chooses it. */
  readonly name: string;
  /** The period before, as in "+12% vs. yesterday". */
  readonly before: string;
  /** The time before the period, as in "+12% vs. the end of yesterday". */
  readonly end: string;
}

export const periodLabels: Readonly<Record<PeriodLength, PeriodLabels>> = {
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
