import { Button } from "@keepsats/ui/button.tsx";
import { useCallback } from "react";
import { type BlockerFunction, useBeforeUnload, useBlocker } from "react-router";
import { Modal } from "./modal.tsx";

interface LeaveQuestionProps {
  readonly isUnsaved: boolean;
  readonly onDiscard: () => void;
}

/**
 * Asks before a link, the browser's Back or Forward, a reload or the closing of the tab discards
 * unsaved input. Render it always: if it is mounted with the first input, `useBlocker` registers
 * too late for a Back directly after that input.
 */
export function LeaveQuestion({ isUnsaved, onDiscard }: LeaveQuestionProps) {
  const blocker = useBlocker(
    useCallback<BlockerFunction>(
      ({ currentLocation, nextLocation }) =>
        isUnsaved && currentLocation.pathname !== nextLocation.pathname,
      [isUnsaved],
    ),
  );
  useBeforeUnload(
    useCallback(
      (event) => {
        if (isUnsaved) event.preventDefault();
      },
      [isUnsaved],
    ),
  );
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
