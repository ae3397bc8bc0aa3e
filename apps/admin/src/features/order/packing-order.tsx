import { shortOrderId } from "@keepsats/domain";
import type { PackingOrderView } from "../../lib/queries.ts";
import { StatusLabel } from "../../ui/order-labels.tsx";
import { hasSlip } from "../../ui/print.tsx";
import { Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/values.tsx";
import { CustomerAndShipment } from "./customer-and-shipment.tsx";
import { History } from "./history.tsx";
import { PackingActions } from "./order-actions.tsx";
import { PrintedSlip, SlipLink } from "./print-links.tsx";

/** An order as packers see it: without money and emails. */
export function PackingOrderDetails({ order }: { order: PackingOrderView }) {
  const canPrintSlip = order.erased_at === null && hasSlip(order);
  return (
    <>
      {canPrintSlip && <PrintedSlip order={order} />}
      <div className="mb-5 flex flex-wrap items-center gap-x-6 gap-y-2" aria-live="polite">
        <span className="text-lg font-bold">
          <StatusLabel status={order.status} />
        </span>
        <span className="text-ink-soft">
          <span className="money">#{shortOrderId(order.id)}</span>, placed{" "}
          <Time at={order.created_at} />
        </span>
      </div>
      <div className="mb-6 flex flex-wrap gap-3">
        <PackingActions key={order.id} order={order} />
        {canPrintSlip && <SlipLink id={order.id} />}
      </div>
      <div className="grid items-start gap-x-10 xl:grid-cols-2">
        <div>
          <Section title="Items">
            <ul className="divide-y divide-line">
              {order.items.map(({ id, name, quantity }) => (
                <li key={id} className="py-2 wrap-anywhere">
                  <span className="money">{quantity}</span> × {name}
                </li>
              ))}
            </ul>
          </Section>
          <Section title="Customer and shipment">
            <CustomerAndShipment order={order} />
          </Section>
        </div>
        <div>
          <History key={order.id} order={order} />
        </div>
      </div>
    </>
  );
}
