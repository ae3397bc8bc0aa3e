import { type Address, awaitsShipping } from "@keepsats/domain";
import type { SubscribedOrder } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { LoadingBoundary } from "@keepsats/ui/error-boundary.tsx";
import type { LazyComponent } from "@keepsats/ui/lazy-component.ts";
import { Modal } from "@keepsats/ui/modal.tsx";
import { useRef, useState } from "react";
import type { CorrectAddressProps } from "../features/checkout/correct-address.tsx";
import type { KeyedLink } from "../lib/order-link.ts";

interface CorrectAddressButtonProps {
  readonly link: KeyedLink;
  readonly order: SubscribedOrder;
  readonly form: LazyComponent<CorrectAddressProps>;
}

/**
 * The button "Correct address", until the order ships, and its dialog. The input is kept when the
 * dialog is closed, and when the order ships while it is open.
 */
export function CorrectAddressButton({ link, order, form }: CorrectAddressButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const typed = useRef<{ readonly address: Address; readonly seen: Address }>(undefined);
  const status = order.status ?? "";
  const canCorrect = awaitsShipping(status);
  const close = () => setIsOpen(false);

  function closeCorrected(): void {
    typed.current = undefined;
    close();
  }

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
              address={typed.current?.address ?? order.shipping_address}
              seen={typed.current?.seen ?? order.shipping_address}
              closedBy={canCorrect ? undefined : status}
              onInput={(address, seen) => {
                typed.current = { address, seen };
              }}
              onCorrected={closeCorrected}
              onCancel={closeCorrected}
            />
          </LoadingBoundary>
        </Modal>
      )}
    </>
  );
}
