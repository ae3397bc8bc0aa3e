import { Button } from "@keepsats/ui/button.tsx";
import { RefreshCw } from "lucide-react";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";

/** How long the shop may take to respond before the reload fails, in milliseconds. */
const TIMEOUT = 5_000;

/**
 * "Refresh": navigates to the same place in the history. If the shop does not respond, the page
 * stays, because the browser's error page would replace the order.
 *
 * @param isLive whether the live order stream is connected; the message disappears when it
 *   reconnects
 */
export function RefreshButton({ isLive }: { isLive: boolean }) {
  const navigate = useNavigate();
  const [step, setStep] = useState<"ready" | "asking" | "failed">("ready");
  useEffect(() => {
    if (isLive) setStep("ready");
  }, [isLive]);

  async function refresh(): Promise<void> {
    if (step === "asking") return;
    setStep("asking");
    const answers = await answersPage();
    setStep(answers ? "ready" : "failed");
    if (answers) navigate(0);
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

async function answersPage(): Promise<boolean> {
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
