import {
  checkoutErrors,
  checkoutFields,
  customerFields,
  type FieldError,
  priceOf,
  shortOrderId,
} from "@keepsats/domain";
import type { PlacedOrder } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { classes, textLink } from "@keepsats/ui/classes.ts";
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { replaceCart, useCart } from "../../lib/cart-store.ts";
import { usePageSettings } from "../../lib/page-settings.ts";
import { useNavigate } from "../../lib/router.tsx";
import { ShopTextLink } from "../../lib/shop-text-link.tsx";
import { AddressFields, CheckoutField, useFieldErrors } from "../../ui/checkout-fields.tsx";
import type { ChangedOrder } from "./changed-order.ts";
import { ChangedOrderQuestion } from "./changed-order-question.tsx";
import { useDraft } from "./checkout-session.ts";
import { Disclosure } from "./disclosure.tsx";
import type { ReplaceableOrder } from "./open-purchase.ts";
import { type NotReplaced, usePlaceOrder } from "./use-place-order.ts";

interface CheckoutFormProps {
  /** The order is placed: all fields are disabled. */
  readonly isLocked: boolean;
  readonly onPlaced: (order: PlacedOrder) => void;
}

const noQuestion = { changed: undefined, replaceable: undefined };

export function CheckoutForm({ isLocked, onPlaced }: CheckoutFormProps) {
  const { lines: cart } = useCart();
  const navigate = useNavigate();
  const [draft, change] = useDraft();
  const { shipping_address, billing_address, sameBilling } = draft;
  const errors = useFieldErrors();
  const { placing, place, clearFailure } = usePlaceOrder(onPlaced);
  const isPlacing = placing.kind === "sending";
  const { changed, replaceable } = placing.kind === "failed" ? placing : noQuestion;

  const submitButton = useRef<HTMLButtonElement>(null);
  const onFailed = useEffectEvent((found: readonly FieldError[]) => {
    if (!errors.show(found)) submitButton.current?.focus();
  });
  useEffect(() => {
    // The form has lost the focus while it was disabled.
    if (placing.kind === "failed" && placing.changed === undefined) onFailed(placing.errors);
  }, [placing]);

  /** Shows the errors of an invalid form. */
  function isValid(): boolean {
    const hasErrors = errors.show(checkoutErrors(draft));
    if (hasErrors) clearFailure();
    return !hasErrors;
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isValid()) void place({ draft, cart, total: priceOf(cart).total });
  }

  function acceptChange({ buyable, total }: ChangedOrder, replaced?: ReplaceableOrder): void {
    if (!isValid()) return;
    replaceCart(buyable);
    void place({ draft, cart: buyable, total, replaced });
  }

  function changeCart({ repriced }: ChangedOrder): void {
    replaceCart(repriced);
    navigate("/#cart");
  }

  /** A billing address that is no longer the shipping address starts as a copy of it. */
  function setSameBilling(isSame: boolean): void {
    errors.clear("billing_address");
    change({ sameBilling: isSame, ...(!isSame && { billing_address: shipping_address }) });
  }

  const isFixed = isLocked || isPlacing;
  return (
    <form ref={errors.form} noValidate onSubmit={submit} className="space-y-8">
      {/* Collapsed once the order is placed, so that the payment is visible. */}
      <Disclosure label="Your details" isFoldable={isLocked} className="space-y-8">
        <Section title="Customer Information" isLocked={isFixed}>
          {!isLocked && <p className="-mt-2 mb-4 text-ink-soft">All fields are required.</p>}
          <div className="grid gap-x-5 sm:grid-cols-2">
            {customerFields.map((field) => (
              <CheckoutField
                key={field}
                path={field}
                declaration={checkoutFields.customer[field]}
                value={draft[field]}
                errors={errors}
                onEdit={(text) => change({ [field]: text })}
              />
            ))}
          </div>
        </Section>
        <Section title="Shipping Address" isLocked={isFixed}>
          <AddressFields
            kind="shipping"
            address={shipping_address}
            errors={errors}
            onEdit={(edited) => change({ shipping_address: edited })}
          />
          <Checkbox
            label="Billing address same as shipping"
            checked={sameBilling}
            disabled={isFixed}
            onChange={setSameBilling}
          />
        </Section>
        {!sameBilling && (
          <Section title="Billing Address" isLocked={isFixed}>
            <AddressFields
              kind="billing"
              address={billing_address}
              errors={errors}
              onEdit={(edited) => change({ billing_address: edited })}
            />
          </Section>
        )}
      </Disclosure>
      {isLocked ? (
        <p className="border-line text-ink-soft lg:border-t lg:pt-5">
          Your order is placed. You can correct the address on its page until it ships.
        </p>
      ) : (
        <div className="border-t border-line pt-6">
          <TermsNotice />
          <div className="flex flex-wrap gap-3">
            <Button onClick={() => navigate("/")}>Cancel</Button>
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
              replaceable={replaceable}
              onAccept={() => acceptChange(changed, replaceable)}
              onChangeCart={() => changeCart(changed)}
            />
          )}
        </div>
      )}
    </form>
  );
}

interface SectionProps {
  readonly title: string;
  readonly isLocked: boolean;
  readonly children: ReactNode;
}

function Section({ title, isLocked, children }: SectionProps) {
  return (
    <fieldset disabled={isLocked} className="min-w-0">
      <legend className="mb-4 text-xl font-bold tracking-tight">{title}</legend>
      {children}
    </fieldset>
  );
}

/** Shown if the shop has terms. The link opens beside the checkout: leaving it empties the cart. */
function TermsNotice() {
  const terms = usePageSettings().texts.find(({ name }) => name === "terms");
  if (terms === undefined) return null;
  return (
    // Not a paragraph, because the link can open a dialog.
    <div className="mb-4">
      By ordering you accept the <ShopTextLink text={terms} className={textLink} />.
    </div>
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
