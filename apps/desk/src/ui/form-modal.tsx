import { Modal, type ModalProps } from "@keepsats/ui/modal.tsx";
import { createContext, type ReactNode, use, useEffect, useId, useRef, useState } from "react";
import { DiscardQuestion, LeaveQuestion } from "./leave-question.tsx";

/** Tells the dialog which element describes it. */
const DescribeContext = createContext<(id: string | undefined) => void>(() => {});

interface FormModalProps extends Omit<ModalProps, "mayClose" | "size" | "describedBy"> {
  /**
   * Whether there is something to lose; without it, once something was typed or chosen in a field.
   */
  readonly isUnsaved?: boolean;
}

/**
 * A dialog with a form, whose first field has the focus. It asks before Escape, a click beside it,
 * Back or a reload drops what was typed.
 */
export function FormModal({ title, onClose, isUnsaved, children }: FormModalProps) {
  const [isTyped, setIsTyped] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const [describedBy, describe] = useState<string>();
  const asks = isUnsaved ?? isTyped;
  const content = useFocusedField();

  function mayClose(): boolean {
    if (asks) setIsAsking(true);
    return !asks;
  }
  return (
    <Modal title={title} onClose={onClose} mayClose={mayClose} describedBy={describedBy}>
      <div ref={content} onInput={() => setIsTyped(true)}>
        <DescribeContext value={describe}>{children}</DescribeContext>
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

/**
 * What stands before the fields of a {@link FormModal}: a screen reader reads it when the dialog
 * opens.
 */
export function FormLead({ children }: { children: ReactNode }) {
  const id = useId();
  const describe = use(DescribeContext);
  useEffect(() => {
    describe(id);
    return () => describe(undefined);
  }, [id, describe]);
  return <div id={id}>{children}</div>;
}

/**
 * Gives the focus to the first field of an element, as soon as there is one. The browser gives it
 * to the first element of a dialog, which is the button that closes.
 */
function useFocusedField() {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const node = content.current;
    const focusFirst = () => {
      const field = node?.querySelector<HTMLElement>("input, textarea, select");
      field?.focus();
      return field != null;
    };
    if (node === null || focusFirst()) return;
    const observer = new MutationObserver(() => {
      if (focusFirst()) observer.disconnect();
    });
    observer.observe(node, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return content;
}
