import {
  type Address,
  addressFields,
  checkoutFields,
  type FieldDeclaration,
  type FieldError,
} from "@keepsats/domain";
import { RequiredInput } from "@keepsats/ui/input.tsx";
import { useRef, useState } from "react";

type FieldErrors = ReturnType<typeof useFieldErrors>;

/** The errors of the fields in a form. Each disappears when its field is edited. */
export function useFieldErrors() {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<readonly FieldError[]>([]);
  return {
    /** The `ref` of the form. */
    form,
    /**
     * Shows the errors of fields in the form, and focuses the first of these fields. Returns
     * whether there are any.
     */
    show(found: readonly FieldError[]): boolean {
      const shown = found.filter(({ path }) => fieldIn(form.current, path) !== undefined);
      setErrors(shown);
      if (shown[0] !== undefined) fieldIn(form.current, shown[0].path)?.focus();
      return shown.length > 0;
    },
    messageOf: (path: string) => errors.find((error) => error.path === path)?.message,
    /** @param path of a field, or of an address with all of its fields */
    clear(path: string): void {
      setErrors(errors.filter((error) => !error.path.startsWith(path)));
    },
  };
}

/** @param path the name of the field, such as `shipping_address.city` */
export function fieldIn(form: HTMLFormElement | null, path: string): HTMLElement | undefined {
  const field = form?.elements.namedItem(path);
  return field instanceof HTMLElement ? field : undefined;
}

interface CheckoutFieldProps {
  readonly path: string;
  readonly declaration: FieldDeclaration;
  /** By default that of the declaration. */
  readonly autoComplete?: string;
  readonly value: string;
  readonly errors: FieldErrors;
  readonly onEdit: (text: string) => void;
}

export function CheckoutField(props: CheckoutFieldProps) {
  const { path, declaration, autoComplete, value, errors, onEdit } = props;
  return (
    <RequiredInput
      name={path}
      label={declaration.label}
      type={declaration.type}
      autoComplete={autoComplete ?? declaration.autoComplete}
      className={declaration.wide === true ? "col-span-full" : "min-w-0"}
      error={errors.messageOf(path)}
      value={value}
      onChange={({ target }) => {
        errors.clear(path);
        onEdit(target.value);
      }}
    />
  );
}

interface AddressFieldsProps {
  readonly kind: "shipping" | "billing";
  readonly address: Address;
  readonly errors: FieldErrors;
  readonly onEdit: (address: Address) => void;
}

/** City and state share a row, and so do postal code and country, also on a phone. */
export function AddressFields({ kind, address, errors, onEdit }: AddressFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-x-3 sm:gap-x-5">
      {addressFields.map((field) => (
        <CheckoutField
          key={field}
          path={`${kind}_address.${field}`}
          declaration={checkoutFields.address[field]}
          autoComplete={`${kind} ${checkoutFields.address[field].autoComplete}`}
          value={address[field]}
          errors={errors}
          onEdit={(text) => onEdit({ ...address, [field]: text })}
        />
      ))}
    </div>
  );
}
