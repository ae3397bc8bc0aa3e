import { call } from "@keepsats/client";
import { addressFields, checkoutFields, isWebAddress, mapFields } from "@keepsats/domain";
import {
  addressSchema,
  MAX_SHIPMENT_LENGTH,
  MAX_TRACKING_URL,
  type OrderPatch,
  orderPatchAnswerSchema,
  orderPatchSchema,
  paths,
  withId,
} from "@keepsats/protocol";
import { RequiredInput } from "@keepsats/ui/input.tsx";
import * as z from "zod/mini";
import type { Form } from "../../lib/forms/form.ts";
import { emptyAs } from "../../lib/forms/form-schema.ts";
import { useStoredForm } from "../../lib/forms/stored-form.ts";
import type { OrderView } from "../../lib/queries.ts";
import { ChangeForm } from "../../ui/forms/change-form.tsx";
import { Conflict } from "../../ui/forms/conflict.tsx";
import { CarrierField, TextField } from "../../ui/forms/form-fields.tsx";
import { type OrderFormProps, useReadOrder } from "./action-buttons.tsx";

/** The options that the forms of address and shipment share. */
function useCorrection({ order, onDone }: OrderFormProps) {
  const read = useReadOrder(order);
  return {
    record: order,
    async write(changes: OrderPatch, seen: OrderView) {
      const { id, shipping_address, carrier, tracking_number, tracking_url } = seen;
      const expected = { shipping_address, carrier, tracking_number, tracking_url };
      await call({
        path: withId(paths.admin.order, id),
        method: "PATCH",
        body: { ...changes, expected },
        answer: orderPatchAnswerSchema,
      });
      return read();
    },
    onSaved: onDone,
  };
}

const addressForm = {
  done: "Address corrected",
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
  const form = useStoredForm({ ...addressForm, ...useCorrection(props) });
  return (
    <ChangeForm form={form} submit="Save address">
      <div className="grid gap-x-5 sm:grid-cols-2">
        {addressFields.map((field) => (
          <RequiredInput
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
  done: "Shipment corrected",
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
  const form = useStoredForm({ ...shipmentForm, ...useCorrection(props) });
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
