import {
  addressFields,
  type CheckoutPath,
  checkoutFields,
  type FieldDeclaration,
} from "@keepsats/domain";
import { Field } from "@keepsats/ui/field.tsx";
import { useFormContext } from "react-hook-form";
import type { Draft } from "./order-request.ts";

interface CheckoutFieldProps {
  readonly path: CheckoutPath;
  readonly field: FieldDeclaration;
  /** The autocomplete token; by default the one of `field`. */
  readonly autoComplete?: string;
}

/** A text field of the checkout form, as declared in the domain's `checkoutFields`. */
export function CheckoutField({
  path,
  field,
  autoComplete = field.autoComplete,
}: CheckoutFieldProps) {
  const { register, getFieldState, formState } = useFormContext<Draft>();
  return (
    <Field
      label={field.label}
      type={field.type}
      autoComplete={autoComplete}
      className={field.wide === true ? "sm:col-span-2" : ""}
      error={getFieldState(path, formState).error?.message}
      {...register(path)}
    />
  );
}

/** The five fields of an address. */
export function AddressFields({ kind }: { kind: "shipping" | "billing" }) {
  return (
    <div className="grid gap-x-5 sm:grid-cols-2">
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
