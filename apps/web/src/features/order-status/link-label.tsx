import type { LinkState } from "./use-order-stream.ts";

/** Whether the page is live: a quiet word while it is, "Disconnected" in red while it is not. */
export function LinkLabel({ link }: { link: LinkState }) {
  return (
    <p role="status" className="text-sm">
      {link === "down" && (
        <span className="inline-flex items-center rounded-full bg-badge px-2.5 py-0.5 font-medium text-on-badge">
          Disconnected
        </span>
      )}
      {link === "live" && (
        <span className="inline-flex items-center gap-2 text-ink-soft">
          <span className="size-2 rounded-full bg-ink-soft" />
          Live
        </span>
      )}
      {link === "connecting" && <span className="text-ink-soft">Connecting…</span>}
    </p>
  );
}
