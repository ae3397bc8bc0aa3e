import { type PeriodLength, periodLengths, type Today } from "@keepsats/protocol";
import { classes } from "@keepsats/ui/classes.ts";
import { Link } from "react-router";
import { largeFigures, periodLabels } from "./period.ts";

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
