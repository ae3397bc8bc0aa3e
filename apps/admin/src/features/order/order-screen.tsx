import { isApiError } from "@keepsats/client";
import { orderName, shortOrderId } from "@keepsats/domain";
import { type AdminOrder, amountsOf, amountsText, hasPermission } from "@keepsats/protocol";
import { textLink } from "@keepsats/ui/classes.ts";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, Navigate, useParams } from "react-router";
import { orderQuery, type PackingOrderView, packingOrderQuery } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import { DeliveryRow } from "../../ui/delivery-row.tsx";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { StatusLabel } from "../../ui/order-labels.tsx";
import { hasReceipt, hasSlip } from "../../ui/print.tsx";
import { Screen, Section } from "../../ui/screen.tsx";
import { Money, Time } from "../../ui/values.tsx";
import { CustomerAndShipment } from "./customer-and-shipment.tsx";
import { History } from "./history.tsx";
import { LedgerSection, Lines, Loans, OpenIssues } from "./money-sections.tsx";
import { OrderActions } from "./order-actions.tsx";
import { PackingOrderDetails } from "./packing-order.tsx";
import { PrintedSlip, PrintLink, SlipLink } from "./print-links.tsx";
import { ReturnsSection } from "./returns-section.tsx";

/** One order with all its details and actions. */
export default function OrderScreen() {
  const { id = "" } = useParams();
  const { role } = useSession().staff;
  return hasPermission(role, "orders:read") ? (
    <WholeOrder id={id} />
  ) : (
    <PackingOrderScreen id={id} />
  );
}

function WholeOrder({ id }: { id: string }) {
  const query = useQuery(orderQuery(id));
  return (
    <OrderFrame id={id} query={query}>
      {(order) => <Order order={order} />}
    </OrderFrame>
  );
}

function PackingOrderScreen({ id }: { id: string }) {
  const query = useQuery(packingOrderQuery(id, useSession().staff.role));
  return (
    <OrderFrame id={id} query={query}>
      {(order) => <PackingOrderDetails order={order} />}
    </OrderFrame>
  );
}

interface OrderFrameProps<Shown> {
  /** The id in the address, or a prefix of it. */
  readonly id: string;
  readonly query: Pick<UseQueryResult<Shown>, "data" | "error" | "isFetching" | "refetch">;
  readonly children: (order: Shown) => ReactNode;
}

function OrderFrame<Shown extends PackingOrderView>({
  id,
  query,
  children,
}: OrderFrameProps<Shown>) {
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
            order.id === id ? children(order) : <Navigate to={`/orders/${order.id}`} replace />
          }
        </Loaded>
      )}
    </Screen>
  );
}

function Order({ order }: { order: AdminOrder }) {
  const canPrintSlip = order.erased_at === null && hasSlip(order);
  const refunded = amountsText(amountsOf(order.ledger, "refunded"));
  return (
    <>
      {canPrintSlip && <PrintedSlip order={order} />}
      <div className="mb-5 flex flex-wrap items-center gap-x-6 gap-y-2" aria-live="polite">
        <span className="text-lg font-bold">
          <StatusLabel status={order.status} />
        </span>
        <Money cents={order.total_price} className="text-lg" />
        {refunded !== "" && <span className="font-medium">Refunded {refunded}</span>}
        <span className="text-ink-soft">
          <span className="money">#{shortOrderId(order.id)}</span>, placed{" "}
          <Time at={order.created_at} />
        </span>
      </div>
      <OpenIssues payment_issues={order.payment_issues} ledger={order.ledger} />
      <div className="mb-6 flex flex-wrap gap-3">
        <OrderActions key={order.id} order={order} />
        {canPrintSlip && <SlipLink id={order.id} />}
        {hasReceipt(order) && (
          <PrintLink to={`/print/receipts?ids=${order.id}`}>Receipts</PrintLink>
        )}
      </div>
      <div className="grid items-start gap-x-10 xl:grid-cols-2">
        <div>
          <Section title="Items">
            <Lines
              items={order.items}
              total_price={order.total_price}
              refund_lines={order.refund_lines}
            />
          </Section>
          <ReturnsSection key={order.id} order={order} />
          <Section title="Customer and shipment">
            <CustomerAndShipment order={order} />
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
            <Deliveries deliveries={order.deliveries} />
          </Section>
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
