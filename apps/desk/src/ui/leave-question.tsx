import { Button } from "@keepsats/ui/button.tsx";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router";
import { useGuardedHistory } from "../lib/history-guard.ts";
import { leavingPath } from "../lib/leaving-path.ts";
import { Modal } from "./modal.tsx";

/**
 * Asks before a link, the browser's Back or Forward, a reload or the closing of the tab drops what
 * was typed. Shown while there is something to lose.
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
    <DiscardQuestion
      title="Leave without saving?"
      stay="Stay"
      discard="Leave without saving"
      onStay={() => setTo(undefined)}
      onDiscard={() => leave(to)}
    />
  );
}

interface DiscardQuestionProps {
  readonly title: string;
  /** The text of the button that keeps what was typed. */
  readonly stay: string;
  /** The text of the button that drops it. */
  readonly discard: string;
  readonly onStay: () => void;
  readonly onDiscard: () => void;
}

/** Asks before what was typed is dropped. */
export function DiscardQuestion({ title, stay, discard, onStay, onDiscard }: DiscardQuestionProps) {
  return (
    <Modal title={title} onClose={onStay}>
      <p className="mb-5">What you have changed here is not saved.</p>
      <div className="flex flex-wrap gap-3">
        <Button kind="strong" onClick={onStay}>
          {stay}
        </Button>
        <Button onClick={onDiscard}>{discard}</Button>
      </div>
    </Modal>
  );
}
