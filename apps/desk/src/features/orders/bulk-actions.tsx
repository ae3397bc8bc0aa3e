import type { OrderPage } from "@keepsats/protocol";
import { Button, buttonClasses } from "@keepsats/ui/button.tsx";
import { Modal } from "@keepsats/ui/modal.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { failureText } from "../../lib/api.ts";
import { shipOrder } from "./orders-queries.ts";
import { shipEach, shipmentReport } from "./ship-several.ts";

type OrderRow = OrderPage["orders"][number];

interface BulkActionsProps {
  /** The selected orders. */
  readonly orders: readonly OrderRow[];
  readonly onDone: () => void;
}

/** What can be done with several orders at once. */
export function BulkActions({ orders, onDone }: BulkActionsProps) {
  const ids = orders.map(({ id }) => id).join();
  const shippable = orders.filter(({ status }) => status === "PaymentProcessed").map(({ id }) => id);
  if (orders.length === 0) return null;
  return (
    <>
      <span className="text-ink-soft">{orders.length} selected</span>
      <ShipSeveral ids={shippable} onDone={onDone} />
      <a href={`/print/slips?ids=${ids}`} target="_blank" rel="noopener" className={buttonClasses("plain")}>
        Print packing slips
      </a>
      <Button onClick={onDone}>Clear selection</Button>
    </>
  );
}

/** Ships the selected orders that are paid, after a question. The question stays about the same orders while they change. */
function ShipSeveral({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const [asked, setAsked] = useState<readonly string[]>();

  function end(): void {
    setAsked(undefined);
    onDone();
  }
  return (
    <>
      {ids.length > 0 && (
        <Button kind="strong" onClick={() => setAsked(ids)}>
          Ship {counted(ids)}
        </Button>
      )}
      {asked !== undefined && (
        <Modal title={`Ship ${counted(asked)}?`} onClose={() => setAsked(undefined)}>
          <ShipQuestion ids={asked} onShipped={end} />
        </Modal>
      )}
    </>
  );
}

function counted(ids: readonly string[]): string {
  return ids.length === 1 ? "1 order" : `${ids.length} orders`;
}

function ShipQuestion({ ids, onShipped }: { ids: readonly string[]; onShipped: () => void }) {
  const toasts = useToasts();
  const { mutate, isPending } = useMutation({
    mutationFn: () => shipEach(ids, shipOrder, failureText),
    onSuccess(results) {
      toasts.show(shipmentReport(results));
      onShipped();
    },
  });
  return (
    <>
      <p className="mb-5">
        Each shopper is told that their order is on its way, without a tracking number. You can add the number
        to each order afterwards.
      </p>
      <Button kind="strong" onClick={() => mutate()} disabled={isPending}>
        {isPending ? "Shipping…" : "Ship"}
      </Button>
    </>
  );
}
