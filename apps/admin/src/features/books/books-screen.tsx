import { currencyLabel } from "@keepsats/domain";
import { paths } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useTimeZone } from "../../lib/session.ts";
import { Download } from "../../ui/download.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Screen, Section } from "../../ui/screen.tsx";
import { CurrencySection } from "./currency-section.tsx";
import { type BooksPeriod, parametersOf, parsePeriod, withDays } from "./period.ts";
import { PeriodFields } from "./period-fields.tsx";
import { summaryQuery } from "./queries.ts";
import { ReconciliationSection } from "./reconciliation-section.tsx";
import { VatSection } from "./vat-section.tsx";

/** The journal of a period: balances, sums, exports, and the comparison with the loan provider's list. */
export default function BooksScreen() {
  const [now] = useState(Date.now);
  const [parameters, setParameters] = useSearchParams();
  const timeZone = useTimeZone();
  const period = parsePeriod(parameters, { now, timeZone });
  const query = useQuery(summaryQuery(period));

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
