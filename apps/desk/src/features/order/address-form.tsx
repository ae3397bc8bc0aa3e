import { addressError, addressFields, checkoutFields, forEachField } from "@keepsats/domain";
import { Field } from "@keepsats/ui/field.tsx";
import { useState } from "react";
import { ChangeForm } from "../../ui/change-form.tsx";
import type { FormProps } from "./move-forms.tsx";
import { useCorrection } from "./use-correction.tsx";

type Messages = Partial<Record<(typeof addressFields)[number], string>>;

/** Corrects the shipping address of an order that has not shipped, by the rules of the checkout. */
export function AddressForm({ order, onDone }: FormProps) {
  const [messages, setMessages] = useState<Messages>({});
  const { form, save, isPending, failure } = useCorrection({
    order,
    onDone,
    done: "Address corrected",
  });

  function check(fields: Readonly<Record<string, string>>): void {
    const address = forEachField(addressFields, (field) => fields[field] ?? "");
    const found: Messages = {};
    for (const field of addressFields) {
      const message = addressError(field, address[field]);
      if (message !== undefined) found[field] = message;
    }
    setMessages(found);
    if (Object.keys(found).length === 0) save({ shipping_address: address });
  }
  return (
    <ChangeForm
      key={form.number}
      submit="Save address"
      isPending={isPending}
      failure={wrongText(messages) ?? failure}
      onSubmit={check}
    >
      <div className="grid gap-x-5 sm:grid-cols-2">
        {addressFields.map((field) => (
          <Field
            key={field}
            label={checkoutFields.address[field].label}
            name={field}
            required={false}
            defaultValue={form.values.shipping_address[field]}
            maxLength={checkoutFields.address[field].maxLength}
            error={messages[field]}
            onChange={() => setMessages(({ [field]: _, ...others }) => others)}
            className={checkoutFields.address[field].wide ? "sm:col-span-2" : ""}
          />
        ))}
      </div>
    </ChangeForm>
  );
}

function wrongText(messages: Messages): string | undefined {
  const wrong = addressFields.filter((field) => messages[field] !== undefined);
  if (wrong.length === 0) return undefined;
  return `Nothing was saved. Correct: ${wrong.map((field) => checkoutFields.address[field].label).join(", ")}.`;
}
