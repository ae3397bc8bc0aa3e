import { paths, receiptsSummarySchema } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { apiQuery } from "../../lib/api.ts";
import { amountText } from "../../lib/format.ts";
import type { Days } from "../../lib/parameters.ts";
import { Download } from "../../ui/download.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/screen.tsx";
import { booksTopics, withDays } from "./period.ts";
import { vatRows } from "./statement.ts";

/** The receipts and credit notes that were issued in the period, by VAT rate. */
export function VatSection({ days }: { days: Days }) {
  const path = withDays(paths.admin.receiptsSummary, days);
  const query = useQuery(apiQuery(path, receiptsSummarySchema, booksTopics));
  return (
    <Section title="Receipts and VAT">
      <p className="mb-3 text-ink-soft">
        Gross amounts of the receipts and credit notes issued in this period. Net = receipts −
        credit notes − VAT.
      </p>
      <Loaded query={query} subject="The VAT">
        {({ rates }) =>
          rates.length === 0 ? (
            <Empty>No receipts in this period.</Empty>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it
            <section aria-label="VAT by rate" tabIndex={0} className="scroll-hint-x">
              <FigureTable
                caption="VAT by rate"
                columns={["Rate", "Receipts", "Credit notes", "Net", "VAT"]}
                rows={vatRows(rates).map(({ label, sums, isTotal }) => ({
                  key: label,
                  label,
                  figures: sums.map((cents) => amountText(cents)),
                  isTotal,
                }))}
                className="max-sm:text-sm"
              />
            </section>
          )
        }
      </Loaded>
      <div className="mt-4">
        <Download path={withDays(paths.admin.receiptsCsv, days)} name="receipts.csv">
          Export receipts
        </Download>
      </div>
    </Section>
  );
}
