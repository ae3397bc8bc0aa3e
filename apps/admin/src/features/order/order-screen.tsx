import { isApiError } from "@keepsats/client";
import { shortOrderId } from "@keepsats/domain";
import type { AdminOrder } from "@keepsats/protocol";
import { buttonClasses } from "@keepsats/ui/button.tsx";
import { textLink } from "@keepsats/ui/classes.ts";
import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useParams } from "react-router";
import { orderQuery } from "../../lib/queries.ts";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { StatusLabel } from "../../ui/order-labels.tsx";
import { hasReceipt, hasSlip, PackingSlip } from "../../ui/print.tsx";
import { Screen, Section } from "../../ui/screen.tsx";
import { Money, Time } from "../../ui/values.tsx";
import { Deliveries } from "./deliveries.tsx";
import { History } from "./history.tsx";
import { LedgerSection, Lines, Loans, OpenIssues } from "./money-sections.tsx";
import { OrderActions } from "./order-actions.tsx";
import { People } from "./people.tsx";

/** One order with all its details and actions. */
export default function OrderScreen() {
  const { id = "" } = useParams();
  const query = useQuery(orderQuery(id));
  const isUnknown = isApiError(query.error) && query.error.status === 404;
  return (
    <Screen
      title={`Order ${shortOrderId(id)}`}
      actions={
        <Link to="/orders" className={textLink}>
          All orders
        </Link>
      }
    >
      {isUnknown ? (
        <Empty>This order does not exist.</Empty>
      ) : (
        <Loaded query={query} subject="The order">
          {(order) =>
            order.id === id ? (
              <Order order={order} />
            ) : (
              <Navigate to={`/orders/${order.id}`} replace />
            )
          }
        </Loaded>
      )}
    </Screen>
  );
}

function Order({ order }: { order: AdminOrder }) {
  const canPrintSlip = order.erased_at === null && hasSlip(order);
  return (
    <>
      {canPrintSlip && (
        <div data-print-only className="hidden print:block">
          <PackingSlip order={order} />
        </div>
      )}
      <div className="mb-5 flex flex-wrap items-center gap-x-6 gap-y-2" aria-live="polite">
        <span className="text-lg font-bold">
          <StatusLabel status={order.status} />
        </span>
        <Money cents={order.total_price} className="text-lg" />
        <span className="text-ink-soft">
          placed <Time at={order.created_at} />
        </span>
      </div>
      <OpenIssues payment_issues={order.payment_issues} ledger={order.ledger} />
      <div className="mb-6 flex flex-wrap gap-3">
        <OrderActions key={order.id} order={order} />
        {canPrintSlip && <PrintLink to={`/print/slips?ids=${order.id}`}>Packing slip</PrintLink>}
        {hasReceipt(order) && <PrintLink to={`/print/receipts?ids=${order.id}`}>Receipt</PrintLink>}
      </div>
      <div className="grid items-start gap-x-10 xl:grid-cols-2">
        <div>
          <Section title="Items">
            <Lines items={order.items} total_price={order.total_price} />
          </Section>
          <Section title="Customer and shipment">
            <People order={order} />
          </Section>
          <Section title="Loans">
            <Loans loans={order.loans} payment_issues={order.payment_issues} />
          </Section>
          <Section title="Money">
            <LedgerSection key={order.id} order={order} />
          </Section>
        </div>
        <div>
          <History key={order.id} order={order} />
          <Section title="Emails and messages">
            <Deliveries order={order} />
          </Section>
        </div>
      </div>
    </>
  );
}

function PrintLink({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noopener" className={buttonClasses("plain")}>
      {children}
    </a>
  );
}
