import { currencyLabel } from "@keepsats/domain";
import { journalSummarySchema, paths } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { Select } from "@keepsats/ui/input.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { apiQuery } from "../../lib/api.ts";
import { useTimeZone } from "../../lib/session.ts";
import { DayFields } from "../../ui/day-fields.tsx";
import { Download } from "../../ui/download.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Screen, Section } from "../../ui/screen.tsx";
import { CurrencySection } from "./currency-section.tsx";
import {
  type BooksPeriod,
  booksTopics,
  type LocalTime,
  monthBefore,
  parametersOf,
  parsePeriod,
  withDays,
} from "./period.ts";
import { ReconciliationSection } from "./reconciliation-section.tsx";
import { VatSection } from "./vat-section.tsx";

export default function BooksScreen() {
  const [now] = useState(Date.now);
  const [parameters, setParameters] = useSearchParams();
  const timeZone = useTimeZone();
  const period = parsePeriod(parameters, { now, timeZone });
  const path = withDays(paths.admin.journalSummary, period, period.by);
  const query = useQuery(apiQuery(path, journalSummarySchema, booksTopics));

  function change(part: Partial<BooksPeriod>): void {
    setParameters(parametersOf({ ...period, ...part }), { replace: true });
  }
  return (
    <Screen title="Books">
      <PeriodFields period={period} time={{ now, timeZone }} onChange={change} />
      <Loaded query={query} subject="The books">
        {({ currencies }) =>
          currencies.map((books) => (
            <CurrencySection
              key={books.currency}
              books={books}
              by={period.by}
              title={
                currencies.length === 1 ? "Balance" : `Balance in ${currencyLabel(books.currency)}`
              }
            />
          ))
        }
      </Loaded>
      <Section title="Export for the accountant">
        <p className="mb-3 text-ink-soft">
          Every entry of the journal in this period, with its order, country, loan and author.
        </p>
        <div className="flex flex-wrap gap-3">
          <Download path={withDays(paths.admin.journalCsv, period)} name="journal.csv">
            Export CSV
          </Download>
          <Download path={withDays(paths.admin.journal, period)} name="journal.json">
            Export JSON
          </Download>
        </div>
      </Section>
      <VatSection days={period} />
      <ReconciliationSection key={`${period.from} ${period.to}`} days={period} />
    </Screen>
  );
}

interface PeriodFieldsProps {
  readonly period: BooksPeriod;
  readonly time: LocalTime;
  readonly onChange: (part: Partial<BooksPeriod>) => void;
}

function PeriodFields({ period, time, onChange }: PeriodFieldsProps) {
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
