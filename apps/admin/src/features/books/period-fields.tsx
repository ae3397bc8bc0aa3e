import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { DayFields } from "../../ui/day-fields.tsx";
import { Select } from "../../ui/input.tsx";
import { type BooksPeriod, type LocalTime, monthBefore } from "./period.ts";

interface PeriodFieldsProps {
  readonly period: BooksPeriod;
  readonly time: LocalTime;
  readonly onChange: (part: Partial<BooksPeriod>) => void;
}

export function PeriodFields({ period, time, onChange }: PeriodFieldsProps) {
  const months = [
    { label: "This month", days: monthBefore(time, 0) },
    { label: "Last month", days: monthBefore(time, 1) },
  ];
  return (
    <fieldset className="mb-5">
      <legend className="sr-only">Period</legend>
      <div className="flex flex-wrap items-end gap-3">
        {months.map(({ label, days }) => {
          const isChosen = days.from === period.from && days.to === period.to;
          return (
            <Button
              key={label}
              aria-pressed={isChosen}
              className={classes("grow sm:grow-0", isChosen && "bg-sunken")}
              onClick={() => onChange(days)}
            >
              {label}
            </Button>
          );
        })}
        <DayFields days={period} onChange={onChange} />
        <Select
          label="Rows"
          value={period.by}
          onChange={(event) => onChange({ by: event.target.value === "month" ? "month" : "day" })}
          className="grow basis-32 sm:grow-0"
        >
          <option value="day">Days</option>
          <option value="month">Months</option>
        </Select>
      </div>
      <p className="pt-2 text-sm text-ink-soft">
        Days are those of {time.timeZone}. Both days are included.
      </p>
    </fieldset>
  );
}
