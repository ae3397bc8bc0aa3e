import { addressFields, type Basket, checkoutErrors } from "@keepsats/domain";
import type { PlacedOrder } from "@keepsats/protocol";
import type { ReactNode } from "react";
import { FormProvider, type Resolver, set, useForm } from "react-hook-form";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Field } from "../../ui/field.tsx";
import { AddressFields } from "./address-fields.tsx";
import { type Draft, keepDraft, readDraft } from "./draft.ts";
import { PlaceOrderFailure } from "./place-order-failure.tsx";
import { fieldErrors, usePlaceOrder } from "./use-place-order.ts";

interface CheckoutFormProps {
  readonly basket: Basket;
  /** The order exists: nothing may be changed any more. */
  readonly locked: boolean;
  readonly onPlaced: (order: PlacedOrder) => void;
  readonly onCancel: () => void;
}

/** Who buys, where it goes, and who pays for it. */
export function CheckoutForm({ basket, locked, onPlaced, onCancel }: CheckoutFormProps) {
  const form = useForm<Draft>({ defaultValues: readDraft(), resolver, shouldFocusError: true });
  const placing = usePlaceOrder(onPlaced);
  const sameBilling = form.watch("sameBilling");

  /** While billing is the same as shipping it follows every change; and what was typed is kept. */
  function onEdit(): void {
    const { sameBilling: same, shipping_address } = form.getValues();
    if (same) {
      for (const field of addressFields) form.setValue(`billing_address.${field}`, shipping_address[field]);
    }
    keepDraft(form.getValues());
  }

  async function submit(draft: Draft): Promise<void> {
    if (placing.isPending) return;
    try {
      await placing.mutateAsync({ draft, basket });
    } catch (error) {
      for (const { path, message } of fieldErrors(error)) {
        if (isFieldPath(path)) form.setError(path, { message });
      }
    }
  }

  const { errors } = form.formState;
  const fixed = locked || placing.isPending;
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={form.handleSubmit(submit)} onChange={onEdit} className="space-y-8">
        <Section title="Customer Information" locked={fixed}>
          {!locked && <p className="-mt-2 mb-4 text-ink-soft">All fields are required.</p>}
          <div className="grid gap-x-5 sm:grid-cols-2">
            <Field
              label="Full Name"
              autoComplete="name"
              error={errors.customer_name?.message}
              {...form.register("customer_name")}
            />
            <Field
              label="Email"
              type="email"
              autoComplete="email"
              error={errors.customer_email?.message}
              {...form.register("customer_email")}
            />
          </div>
        </Section>
        <Section title="Shipping Address" locked={fixed}>
          <AddressFields kind="shipping" />
          <Checkbox
            label="Billing address same as shipping"
            checked={sameBilling}
            disabled={fixed}
            onChange={(checked) => {
              form.setValue("sameBilling", checked);
              form.clearErrors("billing_address");
              onEdit();
            }}
          />
        </Section>
        {!sameBilling && (
          <Section title="Billing Address" locked={fixed}>
            <AddressFields kind="billing" />
          </Section>
        )}
        {locked ? (
          <p className="border-t border-line pt-5 text-ink-soft">
            Your order is placed, so these details are fixed now. Go on with the payment.
          </p>
        ) : (
          <div className="border-t border-line pt-6">
            <div className="flex flex-wrap gap-3">
              <Button onClick={onCancel}>Cancel</Button>
              <Button
                kind="forward"
                type="submit"
                disabled={placing.isPending}
                className="grow sm:grow-0 sm:px-8"
              >
                {placing.isPending ? "Processing..." : "Place Order"}
              </Button>
            </div>
            {placing.isError && <PlaceOrderFailure errors={fieldErrors(placing.error)} basket={basket} />}
          </div>
        )}
      </form>
    </FormProvider>
  );
}

function Section({ title, locked, children }: { title: string; locked: boolean; children: ReactNode }) {
  return (
    <fieldset disabled={locked} className="min-w-0">
      <legend className="mb-4 text-xl font-bold tracking-tight">{title}</legend>
      {children}
    </fieldset>
  );
}

const resolver: Resolver<Draft> = (draft) => {
  const errors = {};
  for (const { path, message } of checkoutErrors(draft)) {
    if (draft.sameBilling && path.startsWith("billing_address")) continue;
    set(errors, path, { type: "rule", message });
  }
  return Object.keys(errors).length === 0 ? { values: draft, errors: {} } : { values: {}, errors };
};

type FieldPath =
  | "customer_name"
  | "customer_email"
  | `${"shipping" | "billing"}_address.${(typeof addressFields)[number]}`;

function isFieldPath(path: string): path is FieldPath {
  return /^(?:customer_(?:name|email)|(?:shipping|billing)_address\.\w+)$/.test(path);
}
