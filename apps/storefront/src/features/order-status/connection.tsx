import { classes } from "@keepsats/ui/classes.ts";
import type { ConnectionState, SubscriptionState } from "../../lib/use-order-stream.ts";
import { streamErrorLabels } from "./status-labels.ts";

export function ConnectionLabel({ connection }: { connection: ConnectionState }) {
  return (
    <p role="status" className="text-sm">
      {connection === "down" && (
        <span className="inline-flex items-center rounded-full bg-badge px-2.5 py-0.5 font-medium text-on-badge">
          Disconnected
        </span>
      )}
      {connection === "live" && (
        <span className="inline-flex items-center gap-2 text-ink-soft">
          <span className="size-2 rounded-full bg-ink-soft" />
          Live
        </span>
      )}
      {connection === "connecting" && <span className="text-ink-soft">Connecting…</span>}
    </p>
  );
}

/** An error of the order stream, or that the order is loading; nothing once there is an order. */
export function StreamNotice({
  state: { connection, order, error },
}: {
  state: SubscriptionState;
}) {
  if (error !== undefined) {
    const { text, hint } = streamErrorLabels(error);
    return (
      <div className="border-t border-line pt-5">
        <p role="alert" className="text-lg text-danger">
          {text}
        </p>
        <p className="mt-1 text-ink-soft">{hint}</p>
      </div>
    );
  }
  if (order !== undefined) return null;
  return (
    <div
      role="status"
      className={classes(
        "border-y border-line py-12 text-lg text-ink-soft",
        connection !== "off" && "min-h-(--order-loading-height)",
      )}
    >
      <p>Loading order status...</p>
      {connection === "off" && (
        <p className="mt-2 text-base">
          This link is incomplete. Please open the full link to your order.
        </p>
      )}
    </div>
  );
}
