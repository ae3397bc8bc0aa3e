import { call } from "@keepsats/client";
import { type Address, addressErrors, addressFields, awaitsShipping } from "@keepsats/domain";
import {
  orderKeyHeader,
  type SubscribedOrder,
  shopPaths,
  storedAddressSchema,
  withId,
} from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { Modal } from "@keepsats/ui/modal.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { type FormEvent, useEffect, useState } from "react";
import * as z from "zod/mini";
import { failureText, problemOf } from "../../lib/order-failure.ts";
import type { KeyedLink } from "../../lib/order-link.ts";
import { AddressFields, fieldIn, useFieldErrors } from "../../ui/checkout-fields.tsx";

interface CorrectAddressProps {
  readonly link: KeyedLink;
  readonly order: SubscribedOrder;
}

/**
 * The button "Correct address", until the order ships, and its dialog. An open dialog stays when
 * the order ships.
 */
export function CorrectAddress({ link, order }: CorrectAddressProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      {awaitsShipping(order.status ?? "") && (
        <Button className="mt-4 print:hidden" onClick={() => setIsOpen(true)}>
          Correct address
        </Button>
      )}
      {isOpen && (
        <Modal title="Correct the shipping address" onClose={close}>
          <AddressForm link={link} order={order} onClose={close} />
        </Modal>
      )}
    </>
  );
}

/** Only the address: the rest of the order comes from the order stream. */
const answer = z.object({ shipping_address: storedAddressSchema });

interface AddressFormProps extends CorrectAddressProps {
  readonly onClose: () => void;
}

/** The order's address when the form is opened; later changes do not change the fields. */
function AddressForm({ link, order, onClose }: AddressFormProps) {
  const [seen, setSeen] = useState(order.shipping_address);
  const [address, setAddress] = useState(seen);
  const errors = useFieldErrors();
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { form } = errors;
  const toasts = useToasts();
  // After the dialog has opened, because that focuses its first button.
  useEffect(() => fieldIn(form.current, "shipping_address.street")?.focus(), [form]);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSending || errors.show(addressErrors("shipping", address))) return;
    setIsSending(true);
    setFailure(undefined);
    const path = withId(shopPaths.order, link.orderId);
    const headers = { [orderKeyHeader]: link.key };
    try {
      const body = { shipping_address: address, expected: { shipping_address: seen } };
      await call({ path, method: "PATCH", headers, body, answer });
      toasts.success("Address corrected", "Your order will be shipped to the new address.");
      onClose();
    } catch (error) {
      console.error("Failed to correct the address", error);
      const problem = problemOf(error);
      const now =
        problem?.code === "order_changed"
          ? await call({ path, headers, answer }).catch(() => {})
          : undefined;
      setIsSending(false);
      // The customer has closed the dialog.
      if (form.current === null) {
        toasts.error("The address was not corrected", correctionFailure(error));
      } else if (now !== undefined) {
        setSeen(now.shipping_address);
        setFailure(changedText(now.shipping_address));
      } else if (!errors.show(problem?.errors ?? [])) setFailure(correctionFailure(error));
    }
  }

  const status = order.status ?? "";
  const isOpen = awaitsShipping(status);
  const message = isOpen ? failure : closedText(status);
  return (
    <form ref={form} noValidate onSubmit={save}>
      <AddressFields kind="shipping" address={address} errors={errors} onEdit={setAddress} />
      <p role="alert" className={message === undefined ? "" : "mb-4 text-danger"}>
        {message}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onClose}>{isOpen ? "Cancel" : "Close"}</Button>
        <Button kind="strong" type="submit" disabled={!isOpen} aria-disabled={isSending}>
          {isSending ? "Saving…" : "Save address"}
        </Button>
      </div>
    </form>
  );
}

/** @param status such as `Shipped` */
function closedText(status: string): string {
  return `This order is now ${status.toLowerCase()}, so its address can no longer change here. Please ask the shop.`;
}

function changedText(now: Address): string {
  const address = addressFields.map((field) => now[field]).join(", ");
  return `Not saved: this address was changed elsewhere. It is now ${address}. Save again to replace it, or cancel to keep it.`;
}

function correctionFailure(error: unknown): string {
  const problem = problemOf(error);
  return problem?.code === "status_changed"
    ? closedText(problem.current_status ?? "closed")
    : failureText(error, "The address could not be saved.", "Your input is kept.");
}
