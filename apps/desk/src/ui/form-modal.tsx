import { Dialog } from "@base-ui/react/dialog";
import { type ReactNode, useState } from "react";
import { DiscardQuestion, LeaveQuestion } from "./leave-question.tsx";
import { Modal, type ModalProps } from "./modal.tsx";

interface FormModalProps extends ModalProps {
  /**
   * Whether there is something to lose; without it, once something was typed or chosen in a field.
   */
  readonly isUnsaved?: boolean;
}

/**
 * A dialog with a form. It asks before Escape, a click beside it, Back or a reload drops what was
 * typed.
 */
export function FormModal({ title, onClose, isUnsaved, children }: FormModalProps) {
  const [isTyped, setIsTyped] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const asks = isUnsaved ?? isTyped;
  return (
    <Modal title={title} onClose={() => (asks ? setIsAsking(true) : onClose())}>
      <div onInput={() => setIsTyped(true)}>{children}</div>
      {isAsking && (
        <DiscardQuestion
          title="Close without saving?"
          stay="Keep editing"
          discard="Close without saving"
          onStay={() => setIsAsking(false)}
          onDiscard={onClose}
        />
      )}
      {asks && <LeaveQuestion onDiscard={onClose} />}
    </Modal>
  );
}

/** The text before the fields of a {@link FormModal}: it describes the dialog to screen readers. */
export function FormLead({ children }: { children: ReactNode }) {
  return <Dialog.Description render={<div />}>{children}</Dialog.Description>;
}
