import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { Link2, Printer, RefreshCw } from "lucide-react";
import { useEffect, useState } from "react";

interface PageActionsProps {
  /** The URL to copy; `undefined` if no order is found. */
  readonly address: string | undefined;
  /** The document that is printed; `undefined` without the order's key. */
  readonly printed: "receipt" | "order" | undefined;
  /** While the order is loading, the buttons keep their space, so that nothing shifts. */
  readonly isLoading: boolean;
  readonly isLive: boolean;
}

export function PageActions({ address, printed, isLoading, isLive }: PageActionsProps) {
  return (
    <div className="flex flex-wrap gap-3 print:hidden">
      <RefreshButton isLive={isLive} />
      <div className={classes("contents", isLoading && "invisible")}>
        {address !== undefined && <CopyLink address={address} />}
        {printed !== undefined && <PrintOrder as={printed} />}
      </div>
    </div>
  );
}

function CopyLink({ address }: { address: string }) {
  const toasts = useToasts();

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(address);
      const description = "Anyone with this link can see your order.";
      toasts.show({ kind: "success", title: "Link copied", description });
    } catch {
      const description = "Copy it from the address bar instead.";
      toasts.show({ kind: "error", title: "The link could not be copied", description });
    }
  }
  return (
    <Button onClick={copy}>
      <Link2 aria-hidden size={18} />
      Copy link
    </Button>
  );
}

/** @param as a receipt once the order is paid */
function PrintOrder({ as }: { as: "receipt" | "order" }) {
  return (
    <Button onClick={() => window.print()}>
      <Printer aria-hidden size={18} />
      Print {as}
    </Button>
  );
}

/** The timeout of {@link isReachable}, in milliseconds. */
const TIMEOUT = 5_000;

/**
 * Navigates to the same place in the history. If the shop does not respond, the page stays, because
 * the browser's error page would replace the order.
 *
 * @param isLive whether the order stream is connected; the message disappears when it reconnects
 */
function RefreshButton({ isLive }: { isLive: boolean }) {
  const [step, setStep] = useState<"ready" | "checking" | "failed">("ready");
  useEffect(() => {
    if (isLive) setStep("ready");
  }, [isLive]);

  async function refresh(): Promise<void> {
    if (step === "checking") return;
    setStep("checking");
    const reachable = await isReachable();
    setStep(reachable ? "ready" : "failed");
    if (reachable) window.history.go(0);
  }

  return (
    <>
      <Button onClick={refresh}>
        <RefreshCw aria-hidden size={18} />
        Refresh
      </Button>
      {step === "failed" && (
        <p role="alert" className="order-last w-0 min-w-full text-sm text-danger">
          The shop could not be reached. Check your connection and try again.
        </p>
      )}
    </>
  );
}

async function isReachable(): Promise<boolean> {
  try {
    const { ok } = await fetch(window.location.pathname, {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    return ok;
  } catch {
    return false;
  }
}
