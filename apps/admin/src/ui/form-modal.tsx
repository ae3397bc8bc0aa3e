import { Dialog } from "@base-ui/react/dialog";
import { type ReactNode, useState } from "react";
import { DiscardQuestion, LeaveQuestion } from "./leave-question.tsx";
import { Modal, type ModalProps } from "./modal.tsx";

interface FormModalProps extends ModalProps {
  /** Whether closing would lose input; by default once a field has received input. */
  readonly isUnsaved?: boolean;
}

/** A dialog with a form. Asks before Escape, an outside click, Back or a reload discards input. */
export function FormModal({ title, onClose, isUnsaved, children }: FormModalProps) {
  const [hasInput, setHasInput] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const isGuarded = isUnsaved ?? hasInput;
  return (
    <Modal title={title} onClose={() => (isGuarded ? setIsAsking(true) : onClose())}>
      <div onInput={() => setHasInput(true)}>{children}</div>
      {isAsking && (
        <DiscardQuestion
          title="Close without saving?"
          stay="Keep editing"
          discard="Close without saving"
          onStay={() => setIsAsking(false)}
          onDiscard={onClose}
        />
      )}
      {isGuarded && <LeaveQuestion onDiscard={onClose} />}
    </Modal>
  );
}

/** The text above the fields of a {@link FormModal}. Screen readers read it as its description. */
export function FormLead({ children }: { children: ReactNode }) {
  return <Dialog.Description render={<div />}>{children}</Dialog.Description>;
}
