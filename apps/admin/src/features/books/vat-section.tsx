import { formatVatRate } from "@keepsats/domain";
import { paths, type RateSum } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/screen.tsx";
import { Money } from "../../ui/values.tsx";
import { Download } from "./download.tsx";
import { type Days, withDays } from "./period.ts";
import { vatQuery } from "./queries.ts";

/** The receipts and credit notes that were issued in the period, by VAT rate. */
export function VatSection({ days }: { days: Days }) {
  const query = useQuery(vatQuery(days));
  return (
    <Section title="Receipts and VAT">
      <p className="mb-3 text-ink-soft">
        Gross amounts of the receipts and credit notes issued in this period. VAT = VAT of receipts
        − VAT of credit notes.
      </p>
      <Loaded query={query} subject="The VAT">
        {({ rates }) =>
          rates.length === 0 ? (
            <Empty>No receipts in this period.</Empty>
          ) : (
            <RateTable rates={rates} />
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

const columns = ["Receipts", "Credit notes", "VAT"];

function RateTable({ rates }: { rates: readonly RateSum[] }) {
  return (
    <table className="w-full text-left max-sm:text-sm">
      <caption className="sr-only">VAT by rate</caption>
      <thead className="border-b border-line text-sm text-ink-soft">
        <tr>
          <th scope="col" className="py-1.5 font-medium">
            Rate
          </th>
          {columns.map((column) => (
            <th key={column} scope="col" className="py-1.5 pl-3 text-right font-medium">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rates.map(({ rate, receipts, credit_notes, vat }) => (
          <tr key={rate}>
            <th scope="row" className="py-1.5 font-normal">
              {rate === null ? "No VAT" : formatVatRate(rate)}
            </th>
            {Object.entries({ receipts, credit_notes, vat }).map(([column, cents]) => (
              <td key={column} className="py-1.5 pl-3 text-right whitespace-nowrap">
                <Money cents={cents} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
