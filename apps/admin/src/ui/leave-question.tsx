import { Button } from "@keepsats/ui/button.tsx";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router";
import { leavingPath, useGuardedHistory } from "../lib/leave-guard.ts";
import { Modal } from "./modal.tsx";

/**
 * Asks before a link, the browser's Back or Forward, a reload or the closing of the tab discards
 * unsaved input. Render it while there is unsaved input.
 */
export function LeaveQuestion({ onDiscard }: { onDiscard: () => void }) {
  const navigate = useNavigate();
  /** The path of a link, or a number of steps in the history. */
  const [to, setTo] = useState<string | number>();
  useGuardedHistory(setTo);

  useEffect(() => {
    const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault();
    /** In the capture phase, before the link handles the click. */
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
  function leave(target: string | number): void {
    // Ends the guard before the step, which it would revert.
    flushSync(onDiscard);
    if (typeof target === "number") window.history.go(target);
    else void navigate(target);
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
  /** The text of the button that keeps the input. */
  readonly stay: string;
  /** The text of the button that discards it. */
  readonly discard: string;
  readonly onStay: () => void;
  readonly onDiscard: () => void;
}

/** Asks before unsaved input is discarded. */
export function DiscardQuestion({ title, stay, discard, onStay, onDiscard }: DiscardQuestionProps) {
  return (
    <Modal title={title} onClose={onStay}>
      <p className="mb-5">Your changes here are not saved.</p>
      <div className="flex flex-wrap gap-3">
        <Button kind="strong" onClick={onStay}>
          {stay}
        </Button>
        <Button onClick={onDiscard}>{discard}</Button>
      </div>
    </Modal>
  );
}
