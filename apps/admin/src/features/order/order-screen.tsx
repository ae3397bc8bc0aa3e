import { isApiError } from "@keepsats/client";
import { orderName, shortOrderId } from "@keepsats/domain";
import { type AdminOrder, amountsOf, amountsText } from "@keepsats/protocol";
import { textLink } from "@keepsats/ui/classes.ts";
import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useParams } from "react-router";
import { deliveryRefetchInterval } from "../../lib/deliveries.ts";
import { type OrderView, orderQuery } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import { DeliveryRow } from "../../ui/delivery-row.tsx";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { StatusLabel } from "../../ui/order-labels.tsx";
import { hasReceipt, hasSlip, PackingSlip, PrintLink } from "../../ui/print.tsx";
import { Screen, Section } from "../../ui/screen.tsx";
import { Money, Time } from "../../ui/values.tsx";
import { CustomerAndShipment } from "./customer-and-shipment.tsx";
import { History } from "./history.tsx";
import { LedgerSection, Lines, Loans, OpenIssues } from "./money-sections.tsx";
import { OrderActions, PackingActions } from "./order-actions.tsx";
import { ReturnsSection } from "./returns-section.tsx";

export default function OrderScreen() {
  // The id, or a prefix of it.
  const { id = "" } = useParams();
  const query = useQuery({
    ...orderQuery(id, useSession().staff.role),
    refetchInterval: ({ state: { data: order } }) =>
      order !== undefined && "ledger" in order ? deliveryRefetchInterval(order.deliveries) : false,
  });
  const isUnknown = isApiError(query.error) && query.error.status === 404;
  return (
    <Screen
      title={`Order ${orderName(query.data ?? { id })}`}
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
              <Order key={id} order={order} />
            ) : (
              <Navigate to={`/orders/${order.id}`} replace />
            )
          }
        </Loaded>
      )}
    </Screen>
  );
}

function Order({ order }: { order: OrderView }) {
  // Packers see no money and no emails.
  const whole = "ledger" in order ? order : undefined;
  const refunded = whole && amountsText(amountsOf(whole.ledger, "refunded"));
  const canPrintSlip = order.erased_at === null && hasSlip(order);
  return (
    <>
      {canPrintSlip && (
        // Printed instead of the screen.
        <div data-print-only className="hidden print:block">
          <PackingSlip order={order} />
        </div>
      )}
      <div className="mb-5 flex flex-wrap items-center gap-x-6 gap-y-2" aria-live="polite">
        <span className="text-lg font-bold">
          <StatusLabel status={order.status} />
        </span>
        {whole && <Money cents={whole.total_price} className="text-lg" />}
        {refunded && <span className="font-medium">Refunded {refunded}</span>}
        <span className="text-ink-soft">
          <span className="money">#{shortOrderId(order.id)}</span>, placed{" "}
          <Time at={order.created_at} />
        </span>
      </div>
      {whole && <OpenIssues order={whole} />}
      <div className="mb-6 flex flex-wrap gap-3">
        {whole ? <OrderActions order={whole} /> : <PackingActions order={order} />}
        {canPrintSlip && <PrintLink to={`/print/slips?ids=${order.id}`}>Packing slip</PrintLink>}
        {whole && hasReceipt(whole) && (
          <PrintLink to={`/print/receipts?ids=${order.id}`}>Receipts</PrintLink>
        )}
      </div>
      <div className="grid items-start gap-x-10 xl:grid-cols-2">
        <div>
          <Section title="Items">
            <Lines {...order} />
          </Section>
          {whole && <ReturnsSection order={whole} />}
          <Section title="Customer and shipment">
            <CustomerAndShipment order={order} />
          </Section>
          {whole && (
            <>
              <Section title="Loans">
                <Loans loans={whole.loans} payment_issues={whole.payment_issues} />
              </Section>
              <Section title="Money">
                <LedgerSection order={whole} />
              </Section>
            </>
          )}
        </div>
        <div>
          <History order={order} />
          {whole && (
            <Section title="Emails and messages">
              <Deliveries deliveries={whole.deliveries} />
            </Section>
          )}
        </div>
      </div>
    </>
  );
}

/** The emails and webhook messages about an order, the latest first. */
function Deliveries({ deliveries }: Pick<AdminOrder, "deliveries">) {
  if (deliveries.length === 0) return <p className="text-ink-soft">Nothing was sent.</p>;
  return (
    <ul className="divide-y divide-line">
      {deliveries.toReversed().map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} />
      ))}
    </ul>
  );
}
