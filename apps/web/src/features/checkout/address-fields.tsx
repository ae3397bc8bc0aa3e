import { type AddressField, addressFields } from "@keepsats/domain";
import { useFormContext } from "react-hook-form";
import { Field } from "../../ui/field.tsx";
import type { Draft } from "./draft.ts";

const fields: Record<AddressField, { label: string; autoComplete: string; className: string }> = {
  street: { label: "Street", autoComplete: "address-line1", className: "sm:col-span-2" },
  city: { label: "City", autoComplete: "address-level2", className: "" },
  state: { label: "State", autoComplete: "address-level1", className: "" },
  postal_code: { label: "Postal Code", autoComplete: "postal-code", className: "" },
  country: { label: "Country", autoComplete: "country-name", className: "" },
};

/** The five fields of an address. */
export function AddressFields({ kind }: { kind: "shipping" | "billing" }) {
  const { register, formState } = useFormContext<Draft>();
  const errors = formState.errors[`${kind}_address`];
  return (
    <div className="grid gap-x-5 sm:grid-cols-2">
      {addressFields.map((field) => (
        <Field
          key={field}
          label={fields[field].label}
          autoComplete={`${kind} ${fields[field].autoComplete}`}
          className={fields[field].className}
          error={errors?.[field]?.message}
          {...register(`${kind}_address.${field}`)}
        />
      ))}
    </div>
  );
}
