import { type Cart, checkoutFields, customerFields, priceOf, shortOrderId } from "@keepsats/domain";
import type { PlacedOrder } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { FormProvider } from "react-hook-form";
import type { ChangedOrder } from "./changed-order.ts";
import { ChangedOrderQuestion } from "./changed-order-question.tsx";
import {
  AddressFields,
  CheckoutField,
  setSameBilling,
  showServerErrors,
  useCheckoutForm,
} from "./checkout-fields.tsx";
import { Disclosure } from "./disclosure.tsx";
import type { Draft } from "./order-request.ts";
import type { ReplaceableOrder } from "./replaceable-order.ts";
import { type NotReplaced, usePlaceOrder } from "./use-place-order.ts";

interface CheckoutFormProps {
  readonly cart: Cart;
  /** The order is placed: all fields are disabled. */
  readonly isLocked: boolean;
  readonly onPlaced: (order: PlacedOrder) => void;
  /** Called when the customer accepts other prices or quantities. */
  readonly onCartChanged: (lines: Cart) => void;
  readonly onChangeCart: () => void;
  /** The sentence about the shop's terms, above the buttons. */
  readonly termsNotice: ReactNode;
  /** A request to place the order is aborted when the caller removes the form. */
  readonly onCancel: () => void;
}

const noQuestion = { changed: undefined, replacement: undefined };

export function CheckoutForm({
  cart,
  isLocked,
  onPlaced,
  onCartChanged,
  onChangeCart,
  termsNotice,
  onCancel,
}: CheckoutFormProps) {
  const form = useCheckoutForm();
  const { placing, place, clearFailure } = usePlaceOrder(onPlaced);
  const isPlacing = placing.kind === "sending";
  const sameBilling = form.watch("sameBilling");

  const submitButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The form has lost the focus while it was disabled.
    if (placing.kind !== "failed" || placing.changed !== undefined) return;
    if (!showServerErrors(form, placing.errors)) submitButton.current?.focus();
  }, [placing, form]);

  const submit = (draft: Draft) => place({ draft, cart, total: priceOf(cart).total });
  const { changed, replacement } = placing.kind === "failed" ? placing : noQuestion;

  function acceptChange({ buyable, total }: ChangedOrder, replaced?: ReplaceableOrder): void {
    const placeChanged = (draft: Draft) => {
      onCartChanged(buyable);
      return place({ draft, cart: buyable, total, replaced });
    };
    void form.handleSubmit(placeChanged, clearFailure)();
  }

  function changeCart({ repriced }: ChangedOrder): void {
    onCartChanged(repriced);
    onChangeCart();
  }

  const isFixed = isLocked || isPlacing;
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={form.handleSubmit(submit, clearFailure)} className="space-y-8">
        <FoldedDetails isFolded={isLocked}>
          <Section title="Customer Information" isLocked={isFixed}>
            {!isLocked && <p className="-mt-2 mb-4 text-ink-soft">All fields are required.</p>}
            <div className="grid gap-x-5 sm:grid-cols-2">
              {customerFields.map((path) => (
                <CheckoutField key={path} path={path} field={checkoutFields.customer[path]} />
              ))}
            </div>
          </Section>
          <Section title="Shipping Address" isLocked={isFixed}>
            <AddressFields kind="shipping" />
            <Checkbox
              label="Billing address same as shipping"
              checked={sameBilling}
              disabled={isFixed}
              onChange={(checked) => setSameBilling(form, checked)}
            />
          </Section>
          {!sameBilling && (
            <Section title="Billing Address" isLocked={isFixed}>
              <AddressFields kind="billing" />
            </Section>
          )}
        </FoldedDetails>
        {isLocked ? (
          <p className="border-line text-ink-soft lg:border-t lg:pt-5">
            Your order is placed. You can correct the address on its page until it ships.
          </p>
        ) : (
          <div className="border-t border-line pt-6">
            {termsNotice}
            <div className="flex flex-wrap gap-3">
              <Button onClick={onCancel}>Cancel</Button>
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
              <PlaceOrderFailure notReplaced={placing.notReplaced} isCalm={changed !== undefined} />
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

/**
 * The sections of the form. In narrow windows they are collapsed once the order is placed, so that
 * the payment is visible.
 */
function FoldedDetails({ isFolded, children }: { isFolded: boolean; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {isFolded && (
        <Disclosure
          isOpen={isOpen}
          controls="details-content"
          onToggle={() => setIsOpen(!isOpen)}
          label="Your details"
        />
      )}
      <div
        id="details-content"
        className={classes("space-y-8", isFolded && !isOpen && "max-lg:hidden")}
      >
        {children}
      </div>
    </>
  );
}

function Section({
  title,
  isLocked,
  children,
}: {
  title: string;
  isLocked: boolean;
  children: ReactNode;
}) {
  return (
    <fieldset disabled={isLocked} className="min-w-0">
      <legend className="mb-4 text-xl font-bold tracking-tight">{title}</legend>
      {children}
    </fieldset>
  );
}

interface PlaceOrderFailureProps {
  readonly notReplaced: NotReplaced | undefined;
  /** A question with the next steps follows, so the message is small and not red. */
  readonly isCalm: boolean;
}

function PlaceOrderFailure({ notReplaced, isCalm }: PlaceOrderFailureProps) {
  return (
    <div role="alert" className={classes("mt-4", isCalm ? "text-sm" : "text-danger")}>
      <p>Failed to create order. Please try again.</p>
      {notReplaced !== undefined && <p>{whyNotReplaced(notReplaced)}</p>}
    </div>
  );
}

/** @returns `undefined` if the failure is not about the replaced order */
function whyNotReplaced({ orderId, problem }: NotReplaced): string | undefined {
  const order = `order #${shortOrderId(orderId)}`;
  switch (problem) {
    case "loan_active":
      return `A loan for ${order} is active, so that order was not replaced.`;
    case "transition_refused":
      return `A payment for ${order} has arrived, so that order was not replaced.`;
    case "unavailable":
      return `The lender cannot be reached right now, so ${order} was not replaced.`;
    case "not_found":
      return `The link to ${order} is no longer valid, so that order was not replaced.`;
    default:
      return undefined;
  }
}
