import { Button, buttonClasses } from "@keepsats/ui/button.tsx";
import { useState } from "react";
import { hasSlip } from "../../ui/print.tsx";
import type { OrderRow } from "./order-list.ts";
import { countedOrders, ShipDialog } from "./ship-dialog.tsx";

interface BulkActionsProps {
  /** The selected orders. */
  readonly orders: readonly OrderRow[];
  readonly onDone: () => void;
}

/**
 * What can be done with several orders at once. An open dialog stays about the same orders while
 * they change.
 */
export function BulkActions({ orders, onDone }: BulkActionsProps) {
  const [asked, setAsked] = useState<readonly OrderRow[]>();
  const slips = orders.filter(hasSlip).map(({ id }) => id);
  const shippable = orders.filter(({ status }) => status === "PaymentProcessed");

  function end(): void {
    setAsked(undefined);
    onDone();
  }
  if (orders.length === 0) return null;
  return (
    <>
      <span className="text-ink-soft">{orders.length} selected</span>
      {shippable.length > 0 && (
        <Button kind="strong" onClick={() => setAsked(shippable)}>
          Ship {countedOrders(shippable.length)}
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
      {asked !== undefined && (
        <ShipDialog orders={asked} onClose={() => setAsked(undefined)} onShipped={end} />
      )}
    </>
  );
}
