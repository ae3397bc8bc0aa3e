import { call } from "@keepsats/client";
import { type Address, addressError, addressFields } from "@keepsats/domain";
import { orderKeyHeader, shopPaths, storedAddressSchema, withId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useEffect, useRef, useState } from "react";
import { FormProvider, type Resolver, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { failureText, problemOf } from "../../lib/order-failure.ts";
import type { KeyedLink } from "../../lib/order-link.ts";
import { AddressFields, showServerErrors } from "./checkout-fields.tsx";
import { blankDraft, type Draft } from "./order-request.ts";

export interface CorrectAddressProps {
  readonly link: KeyedLink;
  /** The order's address; later changes do not change the fields. */
  readonly address: Address;
  /** The status that prevents a correction; `undefined` while the address can be corrected. */
  readonly closedBy: string | undefined;
  readonly onClose: () => void;
}

/** Only the address: the rest of the order comes from the order stream. */
const answer = z.object({ shipping_address: storedAddressSchema });

export function CorrectAddress({ link, address, closedBy, onClose }: CorrectAddressProps) {
  const [seen, setSeen] = useState(address);
  const toasts = useToasts();
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const element = useRef<HTMLFormElement>(null);
  const form = useForm<Draft>({
    defaultValues: { ...blankDraft(), shipping_address: address },
    resolver,
    reValidateMode: "onSubmit",
  });
  // After the dialog has opened, because that focuses its first button.
  useEffect(() => form.setFocus("shipping_address.street"), [form]);

  async function save({ shipping_address }: Draft): Promise<void> {
    if (isSending) return;
    setIsSending(true);
    setFailure(undefined);
    const path = withId(shopPaths.order, link.orderId);
    const headers = { [orderKeyHeader]: link.key };
    try {
      const body = { shipping_address, expected: { shipping_address: seen } };
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
      if (element.current === null) {
        toasts.error("The address was not corrected", correctionFailure(error));
      } else if (now !== undefined) {
        setSeen(now.shipping_address);
        setFailure(changedText(now.shipping_address));
      } else if (!showServerErrors(form, problem?.errors ?? []))
        setFailure(correctionFailure(error));
    }
  }

  const isOpen = closedBy === undefined;
  const message = isOpen ? failure : closedText(closedBy);
  return (
    <FormProvider {...form}>
      <form ref={element} noValidate onSubmit={form.handleSubmit(save)}>
        <AddressFields kind="shipping" />
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
    </FormProvider>
  );
}

const resolver: Resolver<Draft> = (draft) => {
  const wrong = addressFields.flatMap((field) => {
    const message = addressError(field, draft.shipping_address[field]);
    return message === undefined ? [] : [[field, { type: "rule", message }] as const];
  });
  if (wrong.length === 0) return { values: draft, errors: {} };
  return { values: {}, errors: { shipping_address: Object.fromEntries(wrong) } };
};

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
