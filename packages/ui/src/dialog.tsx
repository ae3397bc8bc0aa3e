import { cloneElement, type ReactElement, useState } from "react";
import { Modal, type ModalProps } from "./modal.tsx";

interface DialogProps extends Omit<ModalProps, "onClose"> {
  /** The button that opens it. */
  readonly trigger: ReactElement<{ onClick?: () => void }>;
}

/** A button and the modal dialog that it opens. */
export function Dialog({ trigger, ...modal }: DialogProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {cloneElement(trigger, { onClick: () => setIsOpen(true) })}
      {isOpen && <Modal {...modal} onClose={() => setIsOpen(false)} />}
    </>
  );
}
