import { classes } from "@keepsats/ui/classes.ts";
import { textLink } from "@keepsats/ui/text-link.ts";
import type { LiveState } from "../lib/live.ts";
import { useSession } from "../lib/session.ts";

const labels: Record<LiveState, string> = {
  connecting: "Connecting",
  live: "Live",
  down: "Disconnected",
};

const dots: Record<LiveState, string> = {
  connecting: "bg-line-strong",
  live: "bg-good",
  down: "animate-breathe bg-danger",
};

/** The shop's name, and whether what is shown is up to date. */
export function LiveLabel({ state }: { state: LiveState }) {
  const { shop_name, shop_url } = useSession();
  return (
    <div className="min-w-0 lg:mb-4 lg:px-3">
      <p className="truncate font-bold">{shop_name}</p>
      <p role="status" className="flex items-center gap-2 text-sm text-ink-soft">
        <span aria-hidden className={classes("size-2 rounded-full", dots[state])} />
        <span>
          <span>{labels[state]}</span>
          {state === "down" && ", trying again"}
        </span>
      </p>
      <a
        href={shop_url}
        target="_blank"
        rel="noopener"
        className={classes(textLink, "inline-flex min-h-11 items-center text-sm max-lg:hidden")}
      >
        View shop
      </a>
    </div>
  );
}
