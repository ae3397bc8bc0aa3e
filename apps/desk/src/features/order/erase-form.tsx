import { ChangeForm } from "../../ui/change-form.tsx";
import { FormLead } from "../../ui/form-modal.tsx";
import type { FormProps } from "./move-forms.tsx";
import { eraseOrder } from "./order-queries.ts";
import { useChange } from "./use-change.ts";

/** Erases the person of an order that is over. */
export function EraseForm({ order, onDone }: FormProps) {
  const { mutate, ...state } = useChange({ order, onDone, done: "Erased" }, () =>
    eraseOrder(order.id),
  );
  return (
    <ChangeForm submit="Erase" {...state} onSubmit={() => mutate()}>
      <FormLead>
        Name, e-mail and addresses are erased for good, from notes, mails and messages too. Items
        and amounts stay for the books.
      </FormLead>
    </ChangeForm>
  );
}
