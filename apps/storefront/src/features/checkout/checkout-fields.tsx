import {
  addressFields,
  type CheckoutPath,
  checkoutErrors,
  checkoutFields,
  checkoutPaths,
  type FieldDeclaration,
  type FieldError,
} from "@keepsats/domain";
import { Field } from "@keepsats/ui/field.tsx";
import { useEffect } from "react";
import { type Resolver, set, type UseFormReturn, useForm, useFormContext } from "react-hook-form";
import { useCheckoutSession } from "./checkout-session.ts";
import { blankDraft, type Draft } from "./order-request.ts";
import { saveDraft } from "./saved-draft.ts";

interface CheckoutFieldProps {
  readonly path: CheckoutPath;
  readonly field: FieldDeclaration;
  /** By default that of `field`. */
  readonly autoComplete?: string;
}

/** Its message disappears when it is edited. */
export function CheckoutField({
  path,
  field,
  autoComplete = field.autoComplete,
}: CheckoutFieldProps) {
  const { register, getFieldState, formState, clearErrors } = useFormContext<Draft>();
  return (
    <Field
      label={field.label}
      type={field.type}
      autoComplete={autoComplete}
      className={field.wide === true ? "col-span-full" : "min-w-0"}
      error={getFieldState(path, formState).error?.message}
      {...register(path, { onChange: () => clearErrors(path) })}
    />
  );
}

/** City and state share a row, and so do postal code and country, also on a phone. */
export function AddressFields({ kind }: { kind: "shipping" | "billing" }) {
  return (
    <div className="grid grid-cols-2 gap-x-3 sm:gap-x-5">
      {addressFields.map((field) => (
        <CheckoutField
          key={field}
          path={`${kind}_address.${field}`}
          field={checkoutFields.address[field]}
          autoComplete={`${kind} ${checkoutFields.address[field].autoComplete}`}
        />
      ))}
    </div>
  );
}

/** The form state. Each change is stored in the session and for a reload. Messages appear on submit. */
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
        callback({ values }) {
          session.draft = structuredClone(values);
          saveDraft(session.draft);
          session.orders.recordFormEdit();
        },
      }),
    [form, session],
  );
  return form;
}

/** A billing address that is no longer the shipping address starts as a copy of it. */
export function setSameBilling(form: UseFormReturn<Draft>, isSame: boolean): void {
  if (!isSame) form.setValue("billing_address", { ...form.getValues("shipping_address") });
  form.setValue("sameBilling", isSame);
  form.clearErrors("billing_address");
}

/** Shows errors below their fields and focuses the first field. Returns whether there were any. */
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
