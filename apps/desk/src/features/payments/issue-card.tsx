import { shortOrderId } from "@keepsats/domain";
import { adviceText, happenedText, type PaymentIssue, resolutionText } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { textLink } from "@keepsats/ui/text-link.ts";
import { Link } from "react-router";
import { Money } from "../../ui/money.tsx";
import { statusWords } from "../../ui/order-words.ts";
import { Time } from "../../ui/time.tsx";
import { awaitsPayout, type ResolutionOption, resolutionOptions } from "./resolution-options.ts";

interface IssueCardProps {
  readonly issue: PaymentIssue;
  /** The other payment issues of the same loan, which are resolved with it. */
  readonly related: readonly PaymentIssue[];
  readonly onChoose: (option: ResolutionOption) => void;
}

/**
 * One payment issue: what happened, what to do, and the buttons that resolve it. A resolved one
 * shows its resolution instead.
 */
export function IssueCard({ issue, related, onChoose }: IssueCardProps) {
  const { order_id, order_status, customer_name, loan_id, detail, amount, seen_at, resolution } =
    issue;
  return (
    <li className="grid gap-x-8 gap-y-3 py-5 md:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <h2 className="text-lg">{happenedText(issue)}</h2>
        <p className="wrap-anywhere text-ink-soft">{detail}</p>
        <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-ink-soft">
          {order_id === null ? (
            <span>No order</span>
          ) : order_status === null ? (
            <span className="money">{shortOrderId(order_id)}: not an order of this shop</span>
          ) : (
            <Link to={`/orders/${order_id}`} className={textLink}>
              Order <span className="money">{shortOrderId(order_id)}</span>,{" "}
              {statusWords(order_status)}
            </Link>
          )}
          {customer_name && <span className="wrap-anywhere">{customer_name}</span>}
          <span className="wrap-anywhere">Loan {loan_id}</span>
          <Time at={seen_at} />
        </p>
      </div>
      <p className="text-lg md:text-right">
        {amount === null ? (
          <span className="text-base text-ink-soft">
            {resolution === null && awaitsPayout(issue) ? "awaiting payout" : "amount unknown"}
          </span>
        ) : (
          <Money cents={amount} />
        )}
      </p>
      {resolution === null ? (
        <div className="md:col-span-2">
          {related.map(({ id, order_id }) => (
            <p key={id} className="mb-2">
              {order_id === null ? (
                "The loan names no order."
              ) : (
                <>
                  The loan may be meant for order{" "}
                  <Link to={`/orders/${order_id}`} className={textLink}>
                    <span className="money">{shortOrderId(order_id)}</span>
                  </Link>
                  . Ask its customer.
                </>
              )}
            </p>
          ))}
          <p className="mb-3">{adviceText(issue)}</p>
          <Options issue={issue} onChoose={onChoose} />
        </div>
      ) : (
        <p className="wrap-anywhere md:col-span-2">
          {resolutionText(resolution)} <Time at={resolution.at} className="text-sm text-ink-soft" />
        </p>
      )}
    </li>
  );
}

function Options({ issue, onChoose }: Omit<IssueCardProps, "related">) {
  const available = resolutionOptions(issue).filter(({ unavailable }) => unavailable === undefined);
  return (
    <div className="flex flex-wrap gap-2">
      {available.map((option, index) => (
        <Button
          key={option.kind}
          kind={index === 0 && !awaitsPayout(issue) ? "strong" : "plain"}
          aria-label={`${option.label}: ${happenedText(issue)} Loan ${issue.loan_id}`}
          onClick={() => onChoose(option)}
        >
          {option.label}
        </Button>
      ))}
    </div>
  );
}
