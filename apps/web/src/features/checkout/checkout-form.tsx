import {
  type Basket,
  checkoutFields,
  customerFields,
  priceOf,
  shortOrderId,
} from "@keepsats/domain";
import type { PlacedOrder } from "@keepsats/protocol";
import { Button, buttonClasses } from "@keepsats/ui/button.tsx";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { type ReactNode, useEffect, useRef } from "react";
import { FormProvider } from "react-hook-form";
import { Link } from "../../lib/router.tsx";
import type { ChangedOrder } from "./changed-order.ts";
import { ChangedOrderQuestion } from "./changed-order-question.tsx";
import { AddressFields, CheckoutField } from "./checkout-fields.tsx";
import type { Draft } from "./order-request.ts";
import { PlaceOrderFailure } from "./place-order-failure.tsx";
import type { ReplaceableOrder } from "./replaceable-order.ts";
import { setSameBilling, showServerErrors, useCheckoutForm } from "./use-checkout-form.ts";
import { usePlaceOrder } from "./use-place-order.ts";

interface CheckoutFormProps {
  readonly basket: Basket;
  /** The order is placed: all fields are disabled. */
  readonly locked: boolean;
  readonly onPlaced: (order: PlacedOrder) => void;
  /**
   * Replaces the lines of the basket, because the shop sells other pieces or at other prices now.
   */
  readonly onBasketChanged: (lines: Basket) => void;
  /**
   * Called with the question that the form asks: the order has changed. Called with `undefined`
   * when it asks none.
   */
  readonly onQuestion: (changed: ChangedOrder | undefined) => void;
  /** Leaves the form for the cart. */
  readonly onChangeCart: () => void;
  /** Leaves the form. An order that is being placed is cancelled: its request is aborted. */
  readonly onCancel: () => void;
}

const noQuestion = { changed: undefined, replacement: undefined };

/** The form with customer information, shipping address and billing address. */
export function CheckoutForm({ basket, locked, onPlaced, ...on }: CheckoutFormProps) {
  const form = useCheckoutForm();
  const { placing, place, clearFailure } = usePlaceOrder(onPlaced);
  const isPlacing = placing.kind === "sending";
  const sameBilling = form.watch("sameBilling");

  const submitButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The focus was lost while the form was disabled.
    if (placing.kind !== "failed" || placing.changed !== undefined) return;
    if (!showServerErrors(form, placing.errors)) submitButton.current?.focus();
  }, [placing, form]);

  const submit = (draft: Draft) => place({ draft, basket, total: priceOf(basket).total });
  const { changed, replacement } = placing.kind === "failed" ? placing : noQuestion;
  const asked = replacement?.changed ?? changed;
  const { onQuestion } = on;
  useEffect(() => onQuestion(asked), [asked, onQuestion]);

  function acceptChange({ buyable, total }: ChangedOrder, replaced?: ReplaceableOrder): void {
    const placeChanged = (draft: Draft) => {
      on.onBasketChanged(buyable);
      return place({ draft, basket: buyable, total, replaced });
    };
    void form.handleSubmit(placeChanged, clearFailure)();
  }

  function changeCart({ repriced }: ChangedOrder): void {
    on.onBasketChanged(repriced);
    on.onChangeCart();
  }

  const fixed = locked || isPlacing;
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={form.handleSubmit(submit, clearFailure)} className="space-y-8">
        <Section title="Customer Information" locked={fixed}>
          {!locked && <p className="-mt-2 mb-4 text-ink-soft">All fields are required.</p>}
          <div className="grid gap-x-5 sm:grid-cols-2">
            {customerFields.map((path) => (
              <CheckoutField key={path} path={path} field={checkoutFields.customer[path]} />
            ))}
          </div>
        </Section>
        <Section title="Shipping Address" locked={fixed}>
          <AddressFields kind="shipping" />
          <Checkbox
            label="Billing address same as shipping"
            checked={sameBilling}
            disabled={fixed}
            onChange={(checked) => setSameBilling(form, checked)}
          />
        </Section>
        {!sameBilling && (
          <Section title="Billing Address" locked={fixed}>
            <AddressFields kind="billing" />
          </Section>
        )}
        {locked ? (
          <p className="border-t border-line pt-5 text-ink-soft">
            Your order is placed. You can correct the address on its page until it ships.
          </p>
        ) : (
          <div className="border-t border-line pt-6">
            <div className="flex flex-wrap gap-3">
              <Button onClick={on.onCancel}>Cancel</Button>
              <Button
                ref={submitButton}
                kind={changed === undefined ? "forward" : "plain"}
                type="submit"
                disabled={isPlacing}
                className="grow sm:grow-0 sm:px-8"
              >
                {isPlacing ? "Processing..." : "Place Order"}
              </Button>
            </div>
            {placing.kind === "failed" && (
              <PlaceOrderFailure notReplaced={placing.notReplaced} calm={changed !== undefined} />
            )}
            {changed !== undefined && (
              <ChangedOrderQuestion
                changed={changed}
                replacement={replacement}
                onAccept={() => acceptChange(changed)}
                onReplace={({ order, changed }) => acceptChange(changed, order)}
                onChangeCart={() => changeCart(changed)}
              />
            )}
          </div>
        )}
      </form>
    </FormProvider>
  );
}

function Section({
  title,
  locked,
  children,
}: {
  title: string;
  locked: boolean;
  children: ReactNode;
}) {
  return (
    <fieldset disabled={locked} className="min-w-0">
      <legend className="mb-4 text-xl font-bold tracking-tight">{title}</legend>
      {children}
    </fieldset>
  );
}

interface StoredDetailsProps {
  readonly orderId: string;
  /** The basket holds something that was added after the order was placed. */
  readonly hasNewItems: boolean;
}

/**
 * Replaces the form when the form does not hold the details of the placed order, for example after
 * a reload.
 */
export function StoredDetails({ orderId, hasNewItems }: StoredDetailsProps) {
  return (
    <div className="border-y border-line py-8">
      <p className="text-lg">
        Order <span className="money font-medium">#{shortOrderId(orderId)}</span> is placed.
      </p>
      <p className="mt-1 text-ink-soft">Your details are saved with it.</p>
      {hasNewItems && (
        <p className="mt-4 text-ink-soft">Items that you added later are still in your cart.</p>
      )}
    </div>
  );
}

/** Shown at the checkout while the cart is empty. */
export function EmptyCheckout() {
  return (
    <div className="border-y border-line py-12">
      <p className="mb-6 text-lg text-ink-soft">
        Your cart is empty. Add some items before checking out.
      </p>
      <Link to="/" className={buttonClasses("forward")}>
        Return to Shop
      </Link>
    </div>
  );
}
