import { Button } from "@keepsats/ui/button.tsx";
import { Modal } from "@keepsats/ui/modal.tsx";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router";
import { useGuardedHistory } from "../../lib/history-guard.ts";
import { leavingPath } from "./leaving-path.ts";

/**
 * Asks before a link, the browser's Back or Forward, a reload or the closing of the tab drops what was typed. Shown while there is
 * something to lose.
 */
export function LeaveQuestion({ onDiscard }: { onDiscard: () => void }) {
  const navigate = useNavigate();
  /** The path of a link, or a step in the history. */
  const [to, setTo] = useState<string | number>();
  useGuardedHistory(setTo);

  useEffect(() => {
    const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault();
    /** In the capture phase, before the link itself hears of the click. */
    function onClick(event: MouseEvent): void {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const path = link === null ? undefined : leavingPath(event, link, window.location.href);
      if (path === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      setTo(path);
    }
    window.addEventListener("beforeunload", askBrowser);
    document.addEventListener("click", onClick, { capture: true });
    return () => {
      window.removeEventListener("beforeunload", askBrowser);
      document.removeEventListener("click", onClick, { capture: true });
    };
  }, []);

  if (to === undefined) return null;
  function leave(place: string | number): void {
    // Before the step, which the guard would take back.
    flushSync(onDiscard);
    if (typeof place === "number") window.history.go(place);
    else void navigate(place);
  }
  return (
    <Modal title="Leave without saving?" onClose={() => setTo(undefined)}>
      <p className="mb-5">What you have changed here is not saved.</p>
      <div className="flex flex-wrap gap-3">
        <Button kind="strong" onClick={() => setTo(undefined)}>
          Stay
        </Button>
        <Button onClick={() => leave(to)}>Leave without saving</Button>
      </div>
    </Modal>
  );
}
