import { addressFields, checkoutFields } from "@keepsats/domain";
import { DeclaredField } from "./declared-field.tsx";

/** The fields of an address. */
export function AddressFields({ kind }: { kind: "shipping" | "billing" }) {
  return (
    <div className="grid gap-x-5 sm:grid-cols-2">
      {addressFields.map((field) => (
        <DeclaredField
          key={field}
          path={`${kind}_address.${field}`}
          field={checkoutFields.address[field]}
          autoComplete={`${kind} ${checkoutFields.address[field].autoComplete}`}
        />
      ))}
    </div>
  );
}
