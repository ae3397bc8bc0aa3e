import { addressFields, checkoutFields, isWebAddress, mapFields } from "@keepsats/domain";
import {
  addressSchema,
  MAX_SHIPMENT_LENGTH,
  MAX_TRACKING_URL,
  type OrderPatch,
  orderPatchSchema,
} from "@keepsats/protocol";
import { Field } from "@keepsats/ui/field.tsx";
import * as z from "zod/mini";
import type { Form } from "../../lib/form.ts";
import { emptyAs } from "../../lib/form-schema.ts";
import type { OrderView } from "../../lib/queries.ts";
import { useStoredForm } from "../../lib/stored-form.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { Conflict } from "../../ui/conflict.tsx";
import { CarrierField, TextField } from "../../ui/form-fields.tsx";
import { correctOrder } from "./queries.ts";
import { type OrderFormProps, useOrderChange } from "./use-order-change.ts";

/** What the forms of address and shipment do alike. */
function useCorrection(props: OrderFormProps, done: string) {
  const { attempt, finish, read } = useOrderChange(props, done);
  return {
    record: props.order,
    write: (changes: OrderPatch, seen: OrderView) =>
      attempt(async () => {
        await correctOrder(seen, changes);
        return read();
      }),
    read,
    onSaved: finish,
  };
}

const addressForm = {
  schema: z.object({ shipping_address: addressSchema }),
  labels: { shipping_address: "Shipping address" },
  texts: {
    shipping_address: (address: OrderView["shipping_address"]) =>
      addressFields.map((field) => address[field]).join(", "),
  },
  valuesOf: ({ shipping_address }: OrderView) => ({
    shipping_address: mapFields(addressFields, (field) => shipping_address[field]),
  }),
};

/**
 * Corrects the shipping address before shipment, by the rules of the checkout. A conflict is about
 * the whole address, so parts of two addresses are never mixed.
 */
export function AddressForm(props: OrderFormProps) {
  const form = useStoredForm({ ...addressForm, ...useCorrection(props, "Address corrected") });
  return (
    <ChangeForm form={form} submit="Save address">
      <div className="grid gap-x-5 sm:grid-cols-2">
        {addressFields.map((field) => (
          <Field
            key={field}
            label={checkoutFields.address[field].label}
            required={false}
            maxLength={checkoutFields.address[field].maxLength}
            error={form.errorOf(`shipping_address.${field}`)}
            className={checkoutFields.address[field].wide ? "sm:col-span-2" : ""}
            {...form.register(`shipping_address.${field}`)}
          />
        ))}
      </div>
      <Conflict form={form} name="shipping_address" focus="shipping_address.street" />
    </ChangeForm>
  );
}

export const trackingLink = z
  .string()
  .check(
    z.trim(),
    z.refine(isWebAddress, "Enter an address that starts with https:// or http://."),
  );

export const shipmentLabels = {
  carrier: "Carrier",
  tracking_number: "Tracking number",
  tracking_url: "Tracking link",
};

const { carrier, tracking_number } = orderPatchSchema.shape;
const shipmentForm = {
  schema: z.object({
    carrier: emptyAs(null, carrier),
    tracking_number: emptyAs(null, tracking_number),
    tracking_url: emptyAs(null, z.nullable(trackingLink)),
  }),
  labels: shipmentLabels,
  valuesOf: (order: OrderView) => ({
    carrier: order.carrier ?? "",
    tracking_number: order.tracking_number ?? "",
    tracking_url: order.tracking_url ?? "",
  }),
};

export function ShipmentForm(props: OrderFormProps) {
  const form = useStoredForm({ ...shipmentForm, ...useCorrection(props, "Shipment corrected") });
  return (
    <ChangeForm form={form} submit="Save">
      <ShipmentFields form={form} />
    </ChangeForm>
  );
}

interface ShipmentFieldsProps {
  readonly form: Form<ReturnType<typeof shipmentForm.valuesOf>>;
}

export function ShipmentFields({ form }: ShipmentFieldsProps) {
  return (
    <>
      <CarrierField form={form} name="carrier" />
      <TextField form={form} name="tracking_number" maxLength={MAX_SHIPMENT_LENGTH} />
      <TextField
        form={form}
        name="tracking_url"
        inputMode="url"
        placeholder="https://"
        hint="Leave empty to build it from the carrier and tracking number, for carriers in the list."
        maxLength={MAX_TRACKING_URL}
      />
    </>
  );
}
