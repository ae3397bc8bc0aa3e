import type { MerchantOrder } from "@keepsats/protocol";
import { useState } from "react";
import { ChangeForm } from "../../ui/change-form.tsx";
import { FormLead } from "../../ui/form-modal.tsx";
import { Input, TextArea } from "../../ui/input.tsx";
import { webAddressFault } from "../../ui/web-address-fault.ts";
import { cancelWarning } from "./cancel-words.ts";
import { moveOrder } from "./order-queries.ts";
import { useChange } from "./use-change.ts";
import { useCorrection } from "./use-correction.tsx";

const shipmentFields = ["carrier", "tracking_number", "tracking_url"] as const;

export interface FormProps {
  readonly order: MerchantOrder;
  readonly onDone: () => void;
}

/**
 * The status that the order had when the form was opened: a change is made only if it has it still.
 */
function useSeenStatus({ status }: MerchantOrder): string {
  const [seen] = useState(status);
  return seen;
}

/** Ships an order with its carrier and tracking, all of which may stay empty. */
export function ShipForm({ order, onDone }: FormProps) {
  const expected_status = useSeenStatus(order);
  const { mutate, ...state } = useChange<Readonly<Record<string, string>>>(
    { order, onDone, done: "Shipped" },
    (fields) => moveOrder(order.id, { to: "Shipped", expected_status, ...fields }),
  );
  const link = useTrackingLink(mutate);
  return (
    <ChangeForm
      submit="Ship"
      {...state}
      failure={link.failure ?? state.failure}
      onSubmit={link.check}
    >
      <FormLead>
        <p className="text-ink-soft">
          The customer gets an email with what you enter here. All three may stay empty.
        </p>
      </FormLead>
      <ShipmentFields link={link} />
    </ChangeForm>
  );
}

/**
 * Corrects carrier and tracking of an order that has shipped. What was not edited stays as somebody
 * else may have corrected it.
 */
export function ShipmentForm({ order, onDone }: FormProps) {
  const { form, save, isPending, failure } = useCorrection({
    order,
    onDone,
    done: "Shipment corrected",
  });
  function handle(fields: Readonly<Record<string, string>>): void {
    const edited = shipmentFields.filter((name) => (fields[name] ?? null) !== form.values[name]);
    if (edited.length === 0) return onDone();
    save(Object.fromEntries(edited.map((name) => [name, fields[name] ?? null])));
  }
  const link = useTrackingLink(handle);
  return (
    <ChangeForm
      key={form.number}
      submit="Save"
      isPending={isPending}
      failure={link.failure ?? failure}
      onSubmit={link.check}
    >
      <ShipmentFields order={form.values} link={link} />
    </ChangeForm>
  );
}

type Fields = Readonly<Record<string, string>>;

/**
 * Validates the tracking link before submit. The browser's own validation would show a bubble in
 * the browser's language.
 */
function useTrackingLink(send: (fields: Fields) => void) {
  const [fault, setFault] = useState<string>();
  return {
    fault,
    failure: fault === undefined ? undefined : "Nothing was saved. Correct: Tracking link.",
    clear: () => setFault(undefined),
    check(fields: Fields): void {
      const { tracking_url } = fields;
      const found = tracking_url === undefined ? undefined : webAddressFault(tracking_url);
      setFault(found);
      if (found === undefined) send(fields);
    },
  };
}

interface ShipmentFieldsProps {
  readonly order?: Pick<MerchantOrder, (typeof shipmentFields)[number]>;
  readonly link: Pick<ReturnType<typeof useTrackingLink>, "fault" | "clear">;
}

function ShipmentFields({ order, link }: ShipmentFieldsProps) {
  return (
    <>
      <Input label="Carrier" name="carrier" maxLength={100} defaultValue={order?.carrier ?? ""} />
      <Input
        label="Tracking number"
        name="tracking_number"
        maxLength={100}
        defaultValue={order?.tracking_number ?? ""}
      />
      <Input
        label="Tracking link"
        name="tracking_url"
        inputMode="url"
        error={link.fault}
        onChange={link.clear}
        placeholder="https://"
        maxLength={2_000}
        defaultValue={order?.tracking_url ?? ""}
      />
    </>
  );
}

/** Says that an order has arrived. */
export function DeliverForm({ order, onDone }: FormProps) {
  const expected_status = useSeenStatus(order);
  const { mutate, ...state } = useChange({ order, onDone, done: "Delivered" }, () =>
    moveOrder(order.id, { to: "Delivered", expected_status }),
  );
  return (
    <ChangeForm submit="Delivered" {...state} onSubmit={() => mutate()}>
      <FormLead>
        <p className="text-ink-soft">The customer gets an email that the order has arrived.</p>
      </FormLead>
    </ChangeForm>
  );
}

/** Cancels an order: the reason is for staff, the text for the shopper. */
export function CancelForm({ order, onDone }: FormProps) {
  const expected_status = useSeenStatus(order);
  const { mutate, ...state } = useChange<Readonly<Record<string, string>>>(
    { order, onDone, done: "Cancelled" },
    (fields) => moveOrder(order.id, { to: "Cancelled", expected_status, ...fields }),
  );
  const warning = cancelWarning(order);
  return (
    <ChangeForm submit="Cancel the order" {...state} onSubmit={mutate}>
      {warning !== undefined && <FormLead>{warning}</FormLead>}
      <Input label="Reason, for staff only" name="reason" maxLength={500} />
      <TextArea label="Text for the shopper" name="message" maxLength={2_000} />
    </ChangeForm>
  );
}
