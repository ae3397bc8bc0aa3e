import { buttonClasses } from "@keepsats/ui/button.tsx";
import type { PackingOrderView } from "../../lib/queries.ts";
import { PackingSlip } from "../../ui/print.tsx";

export function PrintLink({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noopener" className={buttonClasses("plain")}>
      {children}
    </a>
  );
}

export function SlipLink({ id }: Pick<PackingOrderView, "id">) {
  return <PrintLink to={`/print/slips?ids=${id}`}>Packing slip</PrintLink>;
}

/** Printed instead of the screen. */
export function PrintedSlip({ order }: { order: PackingOrderView }) {
  return (
    <div data-print-only className="hidden print:block">
      <PackingSlip order={order} />
    </div>
  );
}
