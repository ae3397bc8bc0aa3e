import { Button } from "@keepsats/ui/button.tsx";
import { createContext, type ReactNode, use, useCallback, useId, useState } from "react";
import { flushSync } from "react-dom";
import { type BlockerFunction, useBeforeUnload, useBlocker } from "react-router";
import { Modal, type ModalProps } from "../modal.tsx";

/** The id of the {@link FormLead} of a dialog. */
const LeadContext = createContext<string | undefined>(undefined);

interface FormModalProps extends ModalProps {
  /** Whether closing would lose input; by default once a field has received input. */
  readonly isUnsaved?: boolean;
}

/** A dialog with a form. Asks before Escape, an outside click, Back or a reload discards input. */
export function FormModal({ title, onClose, isUnsaved, children }: FormModalProps) {
  const [hasInput, setHasInput] = useState(false);
  /** The number of the question about unsaved input; 0 without one. */
  const [question, setQuestion] = useState(0);
  const leadId = useId();
  const isGuarded = isUnsaved ?? hasInput;
  function mayClose(): boolean {
    // A new one each time: Chrome may close the dialog, which then opens again above the last one.
    setQuestion((number) => (isGuarded ? number + 1 : 0));
    return !isGuarded;
  }
  function discard(): void {
    // The question returns the focus to the form before the form returns it to its button.
    flushSync(() => setQuestion(0));
    onClose();
  }
  return (
    <Modal title={title} describedBy={leadId} mayClose={mayClose} onClose={onClose}>
      <LeadContext value={leadId}>
        <div onInput={() => setHasInput(true)}>{children}</div>
      </LeadContext>
      {question > 0 && (
        <DiscardQuestion key={question} onStay={() => setQuestion(0)} onDiscard={discard} />
      )}
      <LeaveQuestion isUnsaved={isGuarded} onDiscard={onClose} />
    </Modal>
  );
}

/** The text above the fields of a {@link FormModal}. Screen readers read it as its description. */
export function FormLead({ children }: { children: ReactNode }) {
  return <div id={use(LeadContext)}>{children}</div>;
}

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
      onStay={blocker.reset}
      onDiscard={() => {
        blocker.proceed();
        onDiscard();
      }}
    />
  );
}

interface DiscardQuestionProps {
  readonly onStay: () => void;
  readonly onDiscard: () => void;
}

/** Asks before unsaved input is discarded. */
function DiscardQuestion({ onStay, onDiscard }: DiscardQuestionProps) {
  return (
    <Modal title="Leave without saving?" onClose={onStay}>
      <p className="mb-5">Your changes here are not saved.</p>
      <div className="flex flex-wrap gap-3">
        <Button kind="strong" onClick={onStay}>
          Stay
        </Button>
        <Button onClick={onDiscard}>Leave without saving</Button>
      </div>
    </Modal>
  );
}
