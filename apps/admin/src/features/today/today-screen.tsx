import { orderPageSchema, type PeriodLength, paths, type Today } from "@keepsats/protocol";
import { textLink } from "@keepsats/ui/classes.ts";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { Link } from "react-router";
import { apiQuery } from "../../lib/api.ts";
import { itemsQuery } from "../../lib/items.ts";
import { useParameter } from "../../lib/parameters.ts";
import { todayQuery } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import { FigureTable } from "../../ui/figure-table.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { StatusLabel } from "../../ui/order-labels.tsx";
import { OrderRow } from "../../ui/order-row.tsx";
import { Screen, Section } from "../../ui/screen.tsx";
import { Money } from "../../ui/values.tsx";
import { DaysSection } from "./days-section.tsx";
import { firstSteps, isBeginning, isNew } from "./first-steps.ts";
import { HealthSection } from "./health-section.tsx";
import { BestSellers, LowStock } from "./item-sections.tsx";
import { LargeFigures, PeriodChoice, parsePeriodLength } from "./period-section.tsx";
import { tasksOf } from "./tasks.ts";
import { paymentTimes } from "./time-to-payment.ts";

/** In milliseconds: no live message reports whether the provider responds. */
const REFETCH_INTERVAL = 60_000;

const LAST_ORDERS = 5;

export default function TodayScreen() {
  const query = useQuery({ ...todayQuery, refetchInterval: REFETCH_INTERVAL });
  const [length, setLength] = useParameter("days");
  const days = parsePeriodLength(length);
  const hasOrders = query.data !== undefined && !isNew(query.data);
  const choose = (chosen: PeriodLength) => setLength(chosen === 1 ? null : String(chosen));
  return (
    <Screen title="Today" actions={hasOrders && <PeriodChoice chosen={days} onChoose={choose} />}>
      <Loaded query={query} subject="Today's overview">
        {(today) => (
          <>
            {hasOrders && (
              <>
                <LargeFigures today={today} days={days} />
                <div className="grid gap-x-10 xl:grid-cols-2">
                  <BestSellers days={days} />
                  <LowStock items={today.low_items ?? []} />
                </div>
              </>
            )}
            <Tasks today={today} />
            {isBeginning(today) && <FirstSteps isNew={isNew(today)} />}
            {hasOrders && (
              <>
                <LastOrders />
                <Figures today={today} />
              </>
            )}
            <HealthSection provider={today.provider} mail={today.mail} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function Tasks({ today }: { today: Today }) {
  const tasks = tasksOf(today);
  return (
    <Section title="To do">
      {tasks.length === 0 ? (
        <p className="text-ink-soft">Nothing to do.</p>
      ) : (
        <ul className="divide-y divide-line">
          {tasks.map(({ text, to }) => (
            <li key={to}>
              <Link
                to={to}
                className="flex min-h-11 items-center justify-between gap-4 px-2 py-1.5 font-medium hover:bg-sunken"
              >
                {text}
                <ChevronRight aria-hidden size={18} className="shrink-0 text-ink-soft" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function FirstSteps({ isNew }: { isNew: boolean }) {
  const { data: items = [] } = useQuery(itemsQuery);
  const steps = firstSteps(useSession(), items.length > 0);
  if (steps.length === 0 && !isNew) return null;
  return (
    <Section title="First steps">
      {isNew && (
        <p className="pb-3 text-ink-soft">
          No orders yet. Figures appear here after the first order.
        </p>
      )}
      <ol className="list-decimal space-y-1 pl-6">
        {steps.map(({ text, why, to }) => (
          <li key={text}>
            <Link to={to} className={`${textLink} inline-flex min-h-11 items-center font-medium`}>
              {text}
            </Link>{" "}
            <span className="text-ink-soft">{why}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function LastOrders() {
  const path = `${paths.admin.orders}?limit=${LAST_ORDERS}`;
  const query = useQuery(apiQuery(path, orderPageSchema, ["orders"]));
  return (
    <Section title="Last orders">
      <Loaded query={query} subject="The last orders">
        {({ orders }) => (
          <ul className="divide-y divide-line">
            {orders.map(({ id, number, customer_name, status, total_price, created_at }) => (
              <li key={id}>
                <OrderRow
                  orderId={id}
                  orderNumber={number}
                  customerName={customer_name}
                  amount={<Money cents={total_price} />}
                  status={<StatusLabel status={status} />}
                  at={created_at}
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

function Figures({ today: { days, order_to_payment, loans } }: { today: Today }) {
  const isUnpaid = order_to_payment.every(({ orders }) => orders === 0);
  const loanCounts = [
    { label: "Active", count: loans.active },
    { label: "Paid out", count: loans.paid_out },
    { label: "Ended without a payout", count: loans.ended },
    { label: "Unknown: ask the loan provider", count: loans.unknown },
  ];
  return (
    <>
      <DaysSection days={days} />
      <div className="grid gap-x-10 xl:grid-cols-2">
        <Section title="From order to payment">
          {isUnpaid ? (
            <p className="text-ink-soft">No orders were paid in the last 30 days.</p>
          ) : (
            <CountTable columns={["Time", "Orders"]} rows={paymentTimes(order_to_payment)} />
          )}
        </Section>
        <Section title="Loans">
          <CountTable columns={["State", "Loans"]} rows={loanCounts} />
          <p className="pt-3 text-ink-soft">Of the last 30 days, also of cancelled orders.</p>
        </Section>
      </div>
    </>
  );
}

interface CountTableProps {
  readonly columns: readonly [label: string, unit: string];
  readonly rows: readonly { readonly label: string; readonly count: number }[];
}

/** A table of numbers, without those that are 0; nothing if all are. */
function CountTable({ columns, rows }: CountTableProps) {
  const shown = rows.filter(({ count }) => count > 0);
  if (shown.length === 0) return null;
  return (
    <FigureTable
      caption={columns.join(", ")}
      columns={columns}
      rows={shown.map(({ label, count }) => ({
        key: label,
        label,
        figures: [count.toLocaleString("en")],
      }))}
    />
  );
}
