import { addressFields, checkoutFields } from "@keepsats/domain";
import { CheckoutField } from "./checkout-field.tsx";

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
