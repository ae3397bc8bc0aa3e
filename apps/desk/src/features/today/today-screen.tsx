import type { Today } from "@keepsats/protocol";
import { textLink } from "@keepsats/ui/text-link.ts";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { Link } from "react-router";
import { todayQuery } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Screen, Section } from "../../ui/screen.tsx";
import { DaysSection } from "./days-section.tsx";
import { firstSteps, hasItemsQuery, isBeginning, isNew } from "./first-steps.ts";
import { LastOrders } from "./last-orders.tsx";
import { ShareTable } from "./share-table.tsx";
import { StatesSection } from "./states-section.tsx";
import { thingsToDo } from "./things-to-do.ts";
import { halfPaidText, waitRows } from "./wait-words.ts";

/** Whether the provider is there changes without a live message. In milliseconds. */
const READ_AGAIN_AFTER = 60_000;

/** What is to do, how the shop goes, and whether what it needs is there. */
export default function TodayScreen() {
  const query = useQuery({ ...todayQuery, refetchInterval: READ_AGAIN_AFTER });
  return (
    <Screen title="Today">
      <Loaded query={query} what="Today's overview">
        {(today) => (
          <>
            <ToDo today={today} />
            {isBeginning(today) && <FirstSteps isNew={isNew(today)} />}
            {!isNew(today) && (
              <>
                <LastOrders />
                <Figures today={today} />
              </>
            )}
            <StatesSection provider={today.provider} mail={today.mail} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function ToDo({ today }: { today: Today }) {
  const things = thingsToDo(today);
  return (
    <section aria-label="To do" className="border-t border-line">
      {things.length === 0 ? (
        <p className="py-8 text-center text-ink-soft">Nothing is waiting.</p>
      ) : (
        <ul className="divide-y divide-line">
          {things.map(({ text, to }) => (
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
    </section>
  );
}

interface FirstStepsProps {
  /** Whether there are no orders yet. */
  readonly isNew: boolean;
}

/** What somebody does first in a shop that has no paid orders yet, as far as it is not done. */
function FirstSteps({ isNew }: FirstStepsProps) {
  const { data: hasItems = false } = useQuery(hasItemsQuery);
  const steps = firstSteps(useSession(), hasItems);
  if (steps.length === 0 && !isNew) return null;
  return (
    <Section title="First steps">
      {isNew && (
        <p className="pb-3 text-ink-soft">
          There are no orders yet. Their figures will stand here.
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

function Figures({ today: { days, order_to_payment, loans } }: { today: Today }) {
  const paid = halfPaidText(order_to_payment);
  const loanRows = [
    { label: "active", orders: loans.active },
    { label: "paid out", orders: loans.paid_out },
    { label: "ended without a payout", orders: loans.ended },
    { label: "unknown: ask the lender", orders: loans.unknown },
  ];
  return (
    <>
      <DaysSection days={days} />
      <div className="grid gap-x-10 xl:grid-cols-2">
        <Section title="From order to payment">
          <p className="pb-3 text-ink-soft">
            {paid === undefined
              ? "No order of the last 30 days was paid."
              : `${paid} Orders that were cancelled afterwards count too.`}
          </p>
          <ShareTable
            caption="Time from order to payment"
            unit="Orders"
            rows={waitRows(order_to_payment)}
          />
        </Section>
        <Section title="Loans">
          <p className="pb-3 text-ink-soft">
            The loans of the last 30 days by state, those of cancelled orders included. A loan that
            does not match its order is listed under Payments instead.
          </p>
          <ShareTable caption="State of the loan" unit="Loans" rows={loanRows} />
        </Section>
      </div>
    </>
  );
}
