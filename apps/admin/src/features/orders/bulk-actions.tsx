import type { StaffStatus } from "@keepsats/domain";
import { hasPermission } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useState } from "react";
import { counted } from "../../lib/format.ts";
import { useSession } from "../../lib/session.ts";
import { hasSlip, PrintLink } from "../../ui/print.tsx";
import { movable, moveTexts } from "./bulk-moves.ts";
import { MoveDialog } from "./move-dialog.tsx";
import type { OrderRow } from "./stable-rows.ts";

interface BulkActionsProps {
  readonly orders: readonly OrderRow[];
  readonly onDone: () => void;
}

/** The most packing slips that one screen prints. */
const MAX_SLIPS = 100;

const bulkMoves = [
  { to: "Shipped", kind: "strong", permission: "orders:pack" },
  { to: "Delivered", kind: "strong", permission: "orders:pack" },
  { to: "Cancelled", kind: "plain", permission: "orders:write" },
] as const;

/** The actions for several orders. An open dialog keeps its orders when the selection changes. */
export function BulkActions({ orders, onDone }: BulkActionsProps) {
  const { role } = useSession().staff;
  const [open, setOpen] = useState<{ to: StaffStatus; orders: readonly OrderRow[] }>();
  const slips = orders.filter(hasSlip).map(({ id }) => id);

  function finish(): void {
    setOpen(undefined);
    onDone();
  }
  if (orders.length === 0) return null;
  return (
    <>
      <span className="text-ink-soft">{orders.length} selected</span>
      {bulkMoves.map(({ to, kind, permission }) => {
        const moved = movable(orders, to);
        if (moved.length === 0 || !hasPermission(role, permission)) return null;
        return (
          <Button key={to} kind={kind} onClick={() => setOpen({ to, orders: moved })}>
            {moveTexts[to].action(counted(moved.length, "order"))}
          </Button>
        );
      })}
      {slips.length > 0 && (
        <PrintLink to={`/print/slips?ids=${slips.slice(0, MAX_SLIPS).join()}`}>
          {slips.length > MAX_SLIPS
            ? `Print the first ${MAX_SLIPS} packing slips`
            : "Print packing slips"}
        </PrintLink>
      )}
      <Button onClick={onDone}>Clear selection</Button>
      {open !== undefined && (
        <MoveDialog {...open} onClose={() => setOpen(undefined)} onMoved={finish} />
      )}
    </>
  );
}
