import { checkoutErrors, checkoutPaths, type FieldError } from "@keepsats/domain";
import { useEffect } from "react";
import { type Resolver, set, type UseFormReturn, useForm } from "react-hook-form";
import { useCheckoutSession } from "./checkout-session.ts";
import { blankDraft, type Draft } from "./order-request.ts";

/**
 * The state of the checkout form. Each change is stored in the session. Error messages appear on
 * submit; the message of a field disappears when that field is edited.
 */
export function useCheckoutForm(): UseFormReturn<Draft> {
  const session = useCheckoutSession();
  const form = useForm<Draft>({
    defaultValues: session.draft ?? blankDraft(),
    resolver,
    reValidateMode: "onSubmit",
  });

  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback({ values, name, type }) {
          if (type === "change" && isCheckoutPath(name)) form.clearErrors(name);
          session.draft = structuredClone(values);
          session.orders.noteFormEdited();
        },
      }),
    [form, session],
  );
  return form;
}

/**
 * Sets whether the billing address is the shipping address. One that is no longer the same begins
 * as a copy.
 */
export function setSameBilling(form: UseFormReturn<Draft>, isSame: boolean): void {
  if (!isSame) form.setValue("billing_address", { ...form.getValues("shipping_address") });
  form.setValue("sameBilling", isSame);
  form.clearErrors("billing_address");
}

/**
 * Shows the server's errors below their fields and focuses the first field. @returns whether a
 * field had an error
 */
export function showServerErrors(
  form: UseFormReturn<Draft>,
  errors: readonly FieldError[],
): boolean {
  const wrong = checkoutPaths.flatMap((path) => errors.find((error) => error.path === path) ?? []);
  for (const [index, { path, message }] of wrong.entries())
    if (isCheckoutPath(path)) form.setError(path, { message }, { shouldFocus: index === 0 });
  return wrong.length > 0;
}

const resolver: Resolver<Draft> = (draft) => {
  const errors = {};
  for (const { path, message } of checkoutErrors(draft)) {
    if (draft.sameBilling && path.startsWith("billing_address")) continue;
    set(errors, path, { type: "rule", message });
  }
  return Object.keys(errors).length === 0 ? { values: draft, errors: {} } : { values: {}, errors };
};

function isCheckoutPath(path: string | undefined): path is (typeof checkoutPaths)[number] {
  return checkoutPaths.some((known) => known === path);
}
