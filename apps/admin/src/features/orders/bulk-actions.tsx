import { Button, buttonClasses } from "@keepsats/ui/button.tsx";
import { useState } from "react";
import { counted } from "../../lib/format.ts";
import { hasSlip } from "../../ui/print.tsx";
import { ShipDialog } from "./ship-dialog.tsx";
import type { OrderRow } from "./stable-rows.ts";

interface BulkActionsProps {
  /** The selected orders. */
  readonly orders: readonly OrderRow[];
  readonly onDone: () => void;
}

/** The actions for several orders. An open dialog keeps its orders when the selection changes. */
export function BulkActions({ orders, onDone }: BulkActionsProps) {
  const [shipping, setShipping] = useState<readonly OrderRow[]>();
  const slips = orders.filter(hasSlip).map(({ id }) => id);
  const shippable = orders.filter(({ status }) => status === "PaymentProcessed");

  function finish(): void {
    setShipping(undefined);
    onDone();
  }
  if (orders.length === 0) return null;
  return (
    <>
      <span className="text-ink-soft">{orders.length} selected</span>
      {shippable.length > 0 && (
        <Button kind="strong" onClick={() => setShipping(shippable)}>
          Ship {counted(shippable.length, "order")}
        </Button>
      )}
      {slips.length > 0 && (
        <a
          href={`/print/slips?ids=${slips.join()}`}
          target="_blank"
          rel="noopener"
          className={buttonClasses("plain")}
        >
          Print packing slips
        </a>
      )}
      <Button onClick={onDone}>Clear selection</Button>
      {shipping !== undefined && (
        <ShipDialog orders={shipping} onClose={() => setShipping(undefined)} onShipped={finish} />
      )}
    </>
  );
}
