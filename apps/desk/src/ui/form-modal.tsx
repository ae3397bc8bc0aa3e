import { Modal, type ModalProps } from "@keepsats/ui/modal.tsx";
import { useEffect, useRef, useState } from "react";
import { DiscardQuestion, LeaveQuestion } from "./leave-question.tsx";

interface FormModalProps extends Omit<ModalProps, "mayClose" | "size"> {
  /** Whether there is something to lose; without it, once something was typed or chosen in a field. */
  readonly isUnsaved?: boolean;
}

/** A dialog with a form, whose first field has the focus. It asks before Escape, a click beside it, Back or a reload drops what was typed. */
export function FormModal({ title, onClose, isUnsaved, children }: FormModalProps) {
  const [isTyped, setIsTyped] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const asks = isUnsaved ?? isTyped;
  const content = useRef<HTMLDivElement>(null);
  // The browser gives the focus to the first element, which is the button that closes.
  useEffect(() => {
    content.current?.querySelector<HTMLElement>("input, textarea, select")?.focus();
  }, []);

  function mayClose(): boolean {
    if (asks) setIsAsking(true);
    return !asks;
  }
  return (
    <Modal title={title} onClose={onClose} mayClose={mayClose}>
      <div ref={content} onInput={() => setIsTyped(true)}>
        {children}
      </div>
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
