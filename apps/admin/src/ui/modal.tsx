import { Dialog } from "@base-ui/react/dialog";
import { IconButton } from "@keepsats/ui/button.tsx";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";

export interface ModalProps {
  readonly title: string;
  /** Called for Escape, the button "Close" and a click outside the dialog. */
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog, open while it is rendered. Its first field gets the focus. */
export function Modal({ title, onClose, children }: ModalProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop forceRender className="fixed inset-0 z-50 bg-veil" />
        <Dialog.Popup
          ref={popup}
          initialFocus={() => firstField(popup.current)}
          className="fixed inset-0 z-50 m-auto h-fit max-h-(--dialog-height) w-(--dialog-width) max-w-lg animate-arrive scroll-pb-20 overflow-y-auto overscroll-contain rounded-lg border border-line bg-raised text-ink shadow-float"
        >
          <div className="sticky top-0 z-10 h-0">
            <Dialog.Close
              render={<IconButton label="Close" className="absolute top-4 right-4 bg-raised" />}
            >
              <X aria-hidden size={20} />
            </Dialog.Close>
          </div>
          <div ref={focusLateField} className="p-6 sm:p-8">
            <Dialog.Title className="mb-4 pr-10 text-xl wrap-anywhere">{title}</Dialog.Title>
            {children}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function firstField(content: HTMLElement | null): HTMLElement | null {
  return content?.querySelector<HTMLElement>("input, textarea, select") ?? null;
}

/** Focuses the first field of a dialog whose fields appear once their data has loaded. */
function focusLateField(content: HTMLElement | null) {
  if (content === null || firstField(content) !== null) return;
  const observer = new MutationObserver(() => {
    const field = firstField(content);
    if (field === null) return;
    observer.disconnect();
    field.focus();
  });
  observer.observe(content, { childList: true, subtree: true });
  return () => observer.disconnect();
}
