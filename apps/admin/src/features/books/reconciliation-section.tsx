import { call } from "@keepsats/client";
import {
  type ComparedLoan,
  type Match,
  paths,
  type Reconciliation,
  reconciliationSchema,
} from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { textLink } from "@keepsats/ui/classes.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Days } from "../../lib/parameters.ts";
import { Download } from "../../ui/download.tsx";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/screen.tsx";
import { Money, Time, TimeAfter } from "../../ui/values.tsx";
import { withDays } from "./period.ts";

/** In milliseconds: the loan provider's list may be long. */
const LIST_TIMEOUT = 120_000;

/** Compares the period with the loan provider's list, on request. */
export function ReconciliationSection({ days }: { days: Days }) {
  const path = withDays(paths.admin.reconciliation, days);
  const query = useQuery({
    queryKey: [path],
    enabled: false,
    // Each attempt may read the loan provider's list.
    retry: false,
    queryFn: ({ signal }) =>
      call({ path, answer: reconciliationSchema, signal, timeout: LIST_TIMEOUT }),
  });
  const isComplete = days.from !== "" && days.to !== "";

  function compare(): void {
    if (isComplete && !query.isFetching) void query.refetch();
  }
  return (
    <Section title="Reconciliation with the loan provider">
      <p className="mb-3 text-ink-soft">
        Compares the payouts of this period with the loan provider's list of loans. The list is read
        at most once a minute.
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          kind="strong"
          onClick={compare}
          aria-disabled={!isComplete || query.isFetching}
          aria-describedby={isComplete ? undefined : "reconciliation-hint"}
        >
          {query.isFetching ? "Comparing…" : "Compare"}
        </Button>
        {query.data !== undefined && (
          <Download path={withDays(paths.admin.reconciliationCsv, days)} name="reconciliation.csv">
            Export CSV
          </Download>
        )}
        {!isComplete && (
          <p id="reconciliation-hint" className="text-ink-soft">
            Choose a first and a last day.
          </p>
        )}
      </div>
      {(query.isFetched || query.isFetching) && (
        <Loaded query={query} subject="The loan provider's list">
          {(reconciliation) => <Comparison reconciliation={reconciliation} />}
        </Loaded>
      )}
    </Section>
  );
}

const matchLabels: Readonly<Record<Match, string>> = {
  same: "Same amount",
  different: "Different amounts",
  "only-shop": "Only in the shop",
  "only-provider": "Only at the loan provider",
};

function Comparison({ reconciliation }: { reconciliation: Reconciliation }) {
  const { counts, differences, read_at } = reconciliation;
  const found = counts.different + counts.only_shop + counts.only_provider;
  const figures = [
    { label: matchLabels.same, count: counts.same },
    { label: matchLabels.different, count: counts.different },
    { label: matchLabels["only-shop"], count: counts.only_shop },
    { label: matchLabels["only-provider"], count: counts.only_provider },
  ];
  return (
    <div className="pt-5" aria-live="polite">
      <dl className="mb-3 flex flex-wrap gap-x-8 gap-y-2">
        {figures.map(({ label, count }) => (
          <div key={label}>
            <dt className="text-sm text-ink-soft">{label}</dt>
            <dd className="money text-lg">{count.toLocaleString("en")}</dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-ink-soft">
        Counts are loans. The loan provider's list was read on <Time at={read_at} />.
      </p>
      {found === 0 ? (
        <Empty>No differences.</Empty>
      ) : (
        <ul aria-label="Differences" className="divide-y divide-line pt-3">
          {differences.map((loan) => (
            <Difference key={loan.loan_id} loan={loan} />
          ))}
        </ul>
      )}
      {found > differences.length && (
        <p className="pt-3 text-ink-soft">
          The first {differences.length.toLocaleString("en")} are listed. The CSV file has all.
        </p>
      )}
    </div>
  );
}

function Difference({ loan }: { loan: ComparedLoan }) {
  const { match, loan_id, order_id, order_number, paid_at, shop, provider, provider_status } = loan;
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-1 py-3">
      <div className="min-w-0">
        <p className="font-medium">{matchLabels[match]}</p>
        <p className="text-sm wrap-anywhere text-ink-soft">
          Loan {loan_id}
          <TimeAfter text=", " at={paid_at} />
          {order_id !== null && order_number !== null && (
            <>
              {", "}
              <Link to={`/orders/${order_id}`} className={textLink}>
                order {order_number}
              </Link>
            </>
          )}
        </p>
      </div>
      <dl className="flex flex-wrap gap-x-8">
        <Side label="Shop" money={shop} />
        <Side
          label={provider_status === null ? "Loan provider" : `Loan provider: ${provider_status}`}
          money={provider}
        />
      </dl>
    </li>
  );
}

function Side({ label, money }: { label: string; money: ComparedLoan["shop"] }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd>{money === null ? "–" : <Money cents={money.amount} currency={money.currency} />}</dd>
    </div>
  );
}
