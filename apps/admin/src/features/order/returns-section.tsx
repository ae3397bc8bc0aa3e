import { canMoveReturn, type StaffReturnState, staffReturnStates } from "@keepsats/domain";
import type { AdminOrder, OrderReturn } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useState } from "react";
import { actorLabel } from "../../lib/actor-labels.ts";
import { returnRefundStateOf } from "../../lib/refunds.ts";
import { FormModal } from "../../ui/form-modal.tsx";
import { RefundForm } from "../../ui/refund-form.tsx";
import { piecesText, returnLabel } from "../../ui/return-labels.ts";
import { Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/values.tsx";
import { useOrder } from "./queries.ts";
import { MoveReturnForm } from "./return-forms.tsx";

type ReturnAction = StaffReturnState | "refund";

const actionTexts: Readonly<
  Record<ReturnAction, { readonly button: string; readonly title: string }>
> = {
  accepted: { button: "Accept…", title: "Accept this return" },
  received: { button: "Mark as received…", title: "Mark this return as received" },
  refund: { button: "Refund…", title: "Refund this return" },
  declined: { button: "Decline…", title: "Decline this return" },
};

/** The returns of an order, newest first; nothing without returns. */
export function ReturnsSection({ order }: { order: AdminOrder }) {
  const returns = order.returns ?? [];
  const [open, setOpen] = useState<{ returned: OrderReturn; action: ReturnAction }>();
  const close = () => setOpen(undefined);
  if (returns.length === 0) return null;
  return (
    <Section title="Returns">
      <ul className="divide-y divide-line">
        {returns.toReversed().map((returned) => (
          <li key={returned.id} className="py-3 first:pt-0">
            <ReturnTexts order={order} returned={returned} />
            <div className="flex flex-wrap gap-3 pt-2 empty:hidden">
              {actionsOf(order, returned).map((action) => (
                <Button
                  key={action}
                  kind={action === "declined" ? "plain" : "strong"}
                  onClick={() => setOpen({ returned, action })}
                >
                  {actionTexts[action].button}
                </Button>
              ))}
            </div>
          </li>
        ))}
      </ul>
      {open !== undefined && (
        <FormModal title={actionTexts[open.action].title} onClose={close}>
          {open.action === "refund" ? (
            <ReturnRefundForm order={order} returnId={open.returned.id} onDone={close} />
          ) : (
            <MoveReturnForm
              order={order}
              orderReturn={open.returned}
              to={open.action}
              onDone={close}
            />
          )}
        </FormModal>
      )}
    </Section>
  );
}

/** The next step first. */
function actionsOf(order: AdminOrder, { id, state }: OrderReturn): readonly ReturnAction[] {
  const moves = staffReturnStates.filter((to) => canMoveReturn(state, to));
  const isRefundable = returnRefundStateOf(order, id).targets.length > 0;
  return isRefundable ? ["refund", ...moves] : moves;
}

function ReturnTexts({ order, returned }: { order: AdminOrder; returned: OrderReturn }) {
  const { state, lines, reason, message, changed_at } = returned;
  const isBlocked = state === "received" && order.ledger.refundable > 0;
  return (
    <>
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">{returnLabel(state)}</span>
        <Time at={changed_at} className="text-sm text-ink-soft" />
      </p>
      <p className="wrap-anywhere">{piecesText(order.items, lines)}</p>
      {reason !== null && (
        <p className="whitespace-pre-line wrap-anywhere">
          <span className="text-ink-soft">{reasonLabel(returned)}:</span> {reason}
        </p>
      )}
      {message !== null && (
        <p className="whitespace-pre-line wrap-anywhere">
          <span className="text-ink-soft">Text for the customer:</span> {message}
        </p>
      )}
      {isBlocked && <p className="text-ink-soft">Refund the money that is due first.</p>}
    </>
  );
}

interface ReturnRefundFormProps {
  readonly order: AdminOrder;
  readonly returnId: string;
  readonly onDone: () => void;
}

function ReturnRefundForm({ order, returnId, onDone }: ReturnRefundFormProps) {
  const { read, invalidate } = useOrder(order);
  return (
    <RefundForm
      state={returnRefundStateOf(order, returnId)}
      read={async () => returnRefundStateOf(await read(), returnId)}
      onDone={() => {
        invalidate();
        onDone();
      }}
    />
  );
}

/** Such as "The customer’s reason". */
function reasonLabel(returned: OrderReturn): string {
  const author = actorLabel(returned);
  return `${author.charAt(0).toUpperCase()}${author.slice(1)}’s reason`;
}
