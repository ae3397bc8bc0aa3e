import { IconButton } from "@keepsats/ui/button.tsx";
import { classes, textLink } from "@keepsats/ui/classes.ts";
import { LogOut, Search } from "lucide-react";
import { useSession, useSignOut } from "../lib/session.ts";
import type { LiveState } from "./live.ts";
import { Navigation } from "./navigation.tsx";

/** A sidebar in a wide window. On a phone the top bar, with the navigation at the bottom. */
export function Header({ liveState, onFind }: { liveState: LiveState; onFind: () => void }) {
  return (
    <header className="flex items-center justify-between gap-4 border-line px-4 py-2 max-lg:border-b lg:sticky lg:top-0 lg:h-dvh lg:w-(--sidebar-width) lg:shrink-0 lg:flex-col lg:items-stretch lg:justify-start lg:overflow-y-auto lg:border-r lg:py-5">
      <ShopStatus liveState={liveState} />
      <button
        type="button"
        onClick={onFind}
        aria-keyshortcuts="Control+K Meta+K"
        className="flex min-h-11 shrink-0 items-center gap-3 rounded-md text-ink-soft transition-colors hover:text-ink max-lg:ml-auto max-lg:w-11 max-lg:justify-center lg:mb-3 lg:border lg:border-line-strong lg:px-3"
      >
        <Search aria-hidden size={18} />
        <span className="max-lg:sr-only">Find</span>
        <kbd aria-hidden className="ml-auto text-sm max-lg:hidden">
          Ctrl K
        </kbd>
      </button>
      <Navigation />
      <SignedInAs />
    </header>
  );
}

const liveLabels: Record<LiveState, string> = {
  connecting: "Connecting",
  live: "Live",
  down: "Disconnected",
};

const dots: Record<LiveState, string> = {
  connecting: "bg-line-strong",
  live: "bg-good",
  down: "animate-breathe bg-danger",
};

function ShopStatus({ liveState }: { liveState: LiveState }) {
  const { shop_name } = useSession();
  return (
    <div className="min-w-0 lg:mb-4 lg:px-3">
      <p className="truncate font-bold">{shop_name}</p>
      <p role="status" className="flex items-center gap-2 text-sm text-ink-soft">
        <span aria-hidden className={classes("size-2 rounded-full", dots[liveState])} />
        <span>
          <span>{liveLabels[liveState]}</span>
          {liveState === "down" && ", trying again"}
        </span>
      </p>
      <ViewShop className="max-lg:hidden" />
    </div>
  );
}

function ViewShop({ className }: { className: string }) {
  return (
    <a
      href={useSession().shop_url}
      target="_blank"
      rel="noopener"
      className={classes(
        textLink,
        "inline-flex min-h-11 items-center text-sm whitespace-nowrap",
        className,
      )}
    >
      View shop
    </a>
  );
}

function SignedInAs() {
  const { staff } = useSession();
  const { mutate, isPending } = useSignOut();
  return (
    <div className="flex min-w-0 items-center justify-between gap-2 lg:mt-auto lg:pl-3">
      <ViewShop className="lg:hidden" />
      <span className="truncate text-sm text-ink-soft">{staff.name}</span>
      <IconButton label="Sign out" title="Sign out" disabled={isPending} onClick={() => mutate()}>
        <LogOut aria-hidden size={18} />
      </IconButton>
    </div>
  );
}
