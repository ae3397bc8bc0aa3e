import { awaitsShipping } from "@keepsats/domain";
import type { SubscribedOrder } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { LoadingBoundary } from "@keepsats/ui/error-boundary.tsx";
import type { LazyComponent } from "@keepsats/ui/lazy-component.ts";
import { Modal } from "@keepsats/ui/modal.tsx";
import { useState } from "react";
import type { CorrectAddressProps } from "../features/checkout/correct-address.tsx";
import type { KeyedLink } from "../lib/order-link.ts";

interface CorrectAddressButtonProps {
  readonly link: KeyedLink;
  readonly order: SubscribedOrder;
  readonly form: LazyComponent<CorrectAddressProps>;
}

/**
 * The button "Correct address", until the order ships, and its dialog. An open dialog stays when
 * the order ships.
 */
export function CorrectAddressButton({ link, order, form }: CorrectAddressButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const status = order.status ?? "";
  const canCorrect = awaitsShipping(status);
  const close = () => setIsOpen(false);

  return (
    <>
      {canCorrect && (
        <Button
          className="mt-4 print:hidden"
          onPointerEnter={form.preload}
          onClick={() => setIsOpen(true)}
        >
          Correct address
        </Button>
      )}
      {isOpen && (
        <Modal title="Correct the shipping address" onClose={close}>
          <LoadingBoundary what="The form" onRetry={form.retry}>
            <form.Component
              link={link}
              address={order.shipping_address}
              closedBy={canCorrect ? undefined : status}
              onClose={close}
            />
          </LoadingBoundary>
        </Modal>
      )}
    </>
  );
}
