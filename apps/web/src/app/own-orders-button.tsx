import { createLazyComponent } from "@keepsats/ui/lazy-component.ts";
import { ReceiptText } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { useOwnOrders } from "../lib/own-orders.ts";
import { LoadingBoundary } from "../ui/loading-boundary.tsx";
import { Modal } from "../ui/modal.tsx";

const ownOrdersPanel = createLazyComponent(
  () => import("../features/own-orders/own-orders-panel.tsx"),
);

/**
 * The button "Your orders" of the top bar, once there is an order, and the panel that it opens. On
 * a phone it is an icon.
 */
export function OwnOrdersButton() {
  const hasOrders = useStore(useOwnOrders().store, ({ orders }) => orders.length > 0);
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  useFocusMainWhenGone(hasOrders || isOpen);
  if (!hasOrders && !isOpen) return null;
  return (
    <>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        onPointerEnter={ownOrdersPanel.preload}
        className="flex min-h-11 min-w-11 items-center justify-center gap-2 text-ink-soft transition-colors hover:text-ink"
      >
        <ReceiptText aria-hidden size={20} />
        <span className="max-sm:sr-only">Your orders</span>
      </button>
      {isOpen && (
        <Modal title="Your orders" onClose={close}>
          <LoadingBoundary what="The list" onRetry={ownOrdersPanel.retry}>
            <ownOrdersPanel.Component onLeave={close} />
          </LoadingBoundary>
        </Modal>
      )}
    </>
  );
}

/**
 * Focuses the screen when the button disappears, because the last order was forgotten in the panel.
 */
function useFocusMainWhenGone(isShown: boolean): void {
  const wasShown = useRef(isShown);
  useEffect(() => {
    if (wasShown.current && !isShown) document.getElementById("main")?.focus();
    wasShown.current = isShown;
  }, [isShown]);
}
