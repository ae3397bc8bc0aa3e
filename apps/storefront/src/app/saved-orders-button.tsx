import { Modal } from "@keepsats/ui/modal.tsx";
import { ReceiptText } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { SavedOrdersPanel } from "../features/saved-orders/saved-orders-panel.tsx";
import { useSavedOrders } from "../lib/saved-orders.ts";

/** The button "Your orders", once there is an order, and its panel. On a phone it is an icon. */
export function SavedOrdersButton() {
  const hasOrders = useStore(useSavedOrders().store, ({ orders }) => orders.length > 0);
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  useFocusMainWhenGone(hasOrders || isOpen);
  if (!hasOrders && !isOpen) return null;
  return (
    <>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        className="flex min-h-11 min-w-11 items-center justify-center gap-2 text-ink-soft transition-colors hover:text-ink"
      >
        <ReceiptText aria-hidden size={20} />
        <span className="max-sm:sr-only">Your orders</span>
      </button>
      {isOpen && (
        <Modal title="Your orders" onClose={close}>
          <SavedOrdersPanel onLeave={close} />
        </Modal>
      )}
    </>
  );
}

/** Moves the focus when the button disappears because the last order was forgotten in the panel. */
function useFocusMainWhenGone(isShown: boolean): void {
  const wasShown = useRef(isShown);
  useEffect(() => {
    if (wasShown.current && !isShown) document.getElementById("main")?.focus();
    wasShown.current = isShown;
  }, [isShown]);
}
