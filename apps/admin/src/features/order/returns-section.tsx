import {
  canMoveReturn,
  linesText,
  type StaffReturnState,
  staffReturnStates,
} from "@keepsats/domain";
import { type AdminOrder, actorLabel, type OrderReturn } from "@keepsats/protocol";
import { returnRefundStateOf } from "../../refunds/refunds.ts";
import { returnLabel } from "../../ui/order-labels.tsx";
import { Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/values.tsx";
import { ActionButtons, type ActionForm } from "./action-buttons.tsx";
import { OrderRefundForm } from "./order-refund-form.tsx";
import { moveForms, type ReturnFormProps } from "./return-forms.tsx";

type ReturnAction = StaffReturnState | "refund";

const forms: Readonly<Record<ReturnAction, ActionForm<ReturnFormProps>>> = {
  ...moveForms,
  refund: {
    button: "Refund…",
    title: "Refund this return",
    Form: ({ orderReturn, ...props }) => <OrderRefundForm returnId={orderReturn.id} {...props} />,
  },
};

/** The returns of an order, newest first; nothing without returns. */
export function ReturnsSection({ order }: { order: AdminOrder }) {
  const returns = order.returns ?? [];
  if (returns.length === 0) return null;
  return (
    <Section title="Returns">
      <ul className="divide-y divide-line">
        {returns.toReversed().map((orderReturn) => (
          <li key={orderReturn.id} className="py-3 first:pt-0">
            <ReturnTexts order={order} orderReturn={orderReturn} />
            <div className="flex flex-wrap gap-3 pt-2 empty:hidden">
              <ActionButtons
                actions={actionsOf(order, orderReturn).map((action) => ({
                  ...forms[action],
                  isNext: isNext(action, order),
                }))}
                about={{ order, orderReturn }}
              />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The next step first. */
function actionsOf(order: AdminOrder, { id, state }: OrderReturn): readonly ReturnAction[] {
  const moves = staffReturnStates.filter((to) => canMoveReturn(state, to));
  const isRefundable = returnRefundStateOf(order, id).targets.length > 0;
  return isRefundable ? ["refund", ...moves] : moves;
}

function isNext(action: ReturnAction, order: AdminOrder): boolean {
  if (action === "completed") return isRefunded(order);
  return action !== "declined";
}

/** Whether nothing is left of the price. */
function isRefunded({ ledger: { refundable, grantable } }: AdminOrder): boolean {
  return refundable === 0 && grantable === 0;
}

function ReturnTexts({ order, orderReturn }: { order: AdminOrder; orderReturn: OrderReturn }) {
  const { state, lines, reason, message, changed_at } = orderReturn;
  const isBlocked = state === "received" && order.ledger.refundable > 0;
  return (
    <>
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">{returnLabel(state)}</span>
        <Time at={changed_at} className="text-sm text-ink-soft" />
      </p>
      <p className="wrap-anywhere">{linesText(order.items, lines)}</p>
      {reason !== null && (
        <p className="whitespace-pre-line wrap-anywhere">
          <span className="text-ink-soft">{reasonLabel(orderReturn)}:</span> {reason}
        </p>
      )}
      {message !== null && (
        <p className="whitespace-pre-line wrap-anywhere">
          <span className="text-ink-soft">Text for the customer:</span> {message}
        </p>
      )}
      {isBlocked && <p className="text-ink-soft">Refund the money that is due first.</p>}
      {state === "received" && isRefunded(order) && (
        <p className="text-ink-soft">
          The whole price is refunded already. Complete the return without a refund.
        </p>
      )}
    </>
  );
}

/** Such as "The customer's reason". */
function reasonLabel(orderReturn: OrderReturn): string {
  const author = actorLabel(orderReturn);
  return `${author.charAt(0).toUpperCase()}${author.slice(1)}'s reason`;
}
