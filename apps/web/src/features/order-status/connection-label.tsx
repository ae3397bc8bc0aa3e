import type { ConnectionState } from "../../lib/use-order-stream.ts";

/** The state of the connection: "Live", "Connecting…", or "Disconnected" in red. */
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
