import { Button } from "@keepsats/ui/button.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { type FunctionComponent, useState } from "react";
import { type OrderView, orderQuery } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import { FormModal } from "../../ui/forms/form-modal.tsx";
import { statusChangeText } from "../../ui/order-labels.tsx";

export interface ActionForm<Subject> {
  readonly button: string;
  readonly title: string;
  readonly Form: FunctionComponent<Subject & { readonly onDone: () => void }>;
}

interface ActionButtonsProps<Subject> {
  /** The possible actions; `isNext` for those that are recommended. */
  readonly actions: readonly (ActionForm<Subject> & { readonly isNext: boolean })[];
  /** The order, and its return if the actions are about one. */
  readonly about: Subject;
}

/** Buttons that open a form. An open form stays open when its action becomes impossible. */
export function ActionButtons<Subject extends { readonly order: OrderView }>({
  actions,
  about,
}: ActionButtonsProps<Subject>) {
  const [open, setOpen] = useState<ActionForm<Subject> & { readonly status: string }>();
  const { order } = about;
  const close = () => setOpen(undefined);
  return (
    <>
      {actions.map(({ isNext, ...action }) => (
        <Button
          key={action.button}
          kind={isNext ? "strong" : "plain"}
          onClick={() => setOpen({ ...action, status: order.status })}
        >
          {action.button}
        </Button>
      ))}
      {open !== undefined && (
        <FormModal title={open.title} onClose={close}>
          {open.status !== order.status && (
            <p role="status" className="mb-4 text-danger">
              {statusChangeText(order, Date.now())}.
            </p>
          )}
          <open.Form {...about} onDone={close} />
        </FormModal>
      )}
    </>
  );
}

export interface OrderFormProps<Order extends OrderView = OrderView> {
  readonly order: Order;
  readonly onDone: () => void;
}

/** Returns a function that fetches the current order. */
export function useReadOrder({ id }: Pick<OrderView, "id">) {
  const client = useQueryClient();
  const query = orderQuery(id, useSession().staff.role);
  return () => client.fetchQuery({ ...query, staleTime: 0 });
}
