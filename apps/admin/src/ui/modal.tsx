import { Modal as Dialog, type ModalProps as DialogProps } from "@keepsats/ui/modal.tsx";
import { useEffect, useRef } from "react";
import { createPortal } from "react-dom";

export type ModalProps = Omit<DialogProps, "size">;

/**
 * A modal dialog, open while it is rendered. Its first field gets the focus. It is outside of the
 * element that renders it, which may be a form, or hidden in a narrow window.
 */
export function Modal({ children, ...props }: ModalProps) {
  const content = useRef<HTMLDivElement>(null);
  // After the dialog has opened, because that focuses its first button.
  useEffect(() => focusFirstField(content.current), []);
  return createPortal(
    <Dialog {...props}>
      <div ref={content}>{children}</div>
    </Dialog>,
    document.body,
  );
}

/** Focuses the first field, also one that appears once the data of the dialog has loaded. */
function focusFirstField(content: HTMLElement | null) {
  if (content === null || hasFocused(content)) return;
  const observer = new MutationObserver(() => {
    if (hasFocused(content)) observer.disconnect();
  });
  observer.observe(content, { childList: true, subtree: true });
  return () => observer.disconnect();
}

function hasFocused(content: HTMLElement): boolean {
  const field = content.querySelector<HTMLElement>("input, textarea, select");
  field?.focus();
  return field !== null;
}
