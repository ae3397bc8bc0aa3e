import { Button } from "@keepsats/ui/button.tsx";
import { useCallback } from "react";
import { type BlockerFunction, useBeforeUnload, useBlocker } from "react-router";
import { Modal } from "./modal.tsx";

const leavesScreen: BlockerFunction = ({ currentLocation, nextLocation }) =>
  currentLocation.pathname !== nextLocation.pathname;

/**
 * Asks before a link, the browser's Back or Forward, a reload or the closing of the tab discards
 * unsaved input. Render it while there is unsaved input.
 */
export function LeaveQuestion({ onDiscard }: { onDiscard: () => void }) {
  const blocker = useBlocker(leavesScreen);
  useBeforeUnload(useCallback((event) => event.preventDefault(), []));
  if (blocker.state !== "blocked") return null;
  return (
    <DiscardQuestion
      title="Leave without saving?"
      stay="Stay"
      discard="Leave without saving"
      onStay={blocker.reset}
      onDiscard={() => {
        blocker.proceed();
        onDiscard();
      }}
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
