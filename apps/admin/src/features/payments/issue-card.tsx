import { shortOrderId } from "@keepsats/domain";
import { adviceText, happenedText, type PaymentIssue, resolutionText } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { textLink } from "@keepsats/ui/classes.ts";
import { Link } from "react-router";
import { statusLabel } from "../../ui/order-labels.tsx";
import { Figures, Time } from "../../ui/values.tsx";
import { type IssueOption, issueFigures, issueOptions } from "./issue-labels.ts";

interface IssueCardProps {
  readonly issue: PaymentIssue;
  readonly onChoose: (option: IssueOption) => void;
  readonly onShowJournal: () => void;
}

export function IssueCard({ issue, onChoose, onShowJournal }: IssueCardProps) {
  const { resolution, order_status } = issue;
  return (
    <li className="py-5">
      <h2 className="text-lg">{happenedText(issue)}</h2>
      <p className="wrap-anywhere text-ink-soft">{issue.detail}</p>
      <About issue={issue} />
      <Figures figures={issueFigures(issue)} />
      {resolution === null ? (
        <p className="mb-3">{adviceText(issue)}</p>
      ) : (
        <p className="mb-3 wrap-anywhere">
          {resolutionText(resolution)} <Time at={resolution.at} className="text-sm text-ink-soft" />
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {issueOptions(issue).map((option, index) => (
          <Button
            key={option.action}
            kind={index === 0 && option.action === "refund" ? "strong" : "plain"}
            aria-label={`${option.label}: ${happenedText(issue)} Loan ${issue.loan_id}`}
            onClick={() => onChoose(option)}
          >
            {option.label}
          </Button>
        ))}
        {/* The journal of an order is on its screen. */}
        {order_status === null && (
          <Button aria-label={`Journal of loan ${issue.loan_id}`} onClick={onShowJournal}>
            Journal
          </Button>
        )}
      </div>
    </li>
  );
}

function About({ issue }: { issue: PaymentIssue }) {
  const { order_id, order_number, order_status, customer_name, loan_id, opened_at } = issue;
  return (
    <p className="mt-1 mb-3 flex flex-wrap gap-x-4 text-sm text-ink-soft">
      {order_id === null ? (
        <span>No order</span>
      ) : order_status === null ? (
        <span className="money">{shortOrderId(order_id)}: not an order of this shop</span>
      ) : (
        <Link to={`/orders/${order_id}`} className={textLink}>
          Order{" "}
          <span className="money">
            {order_number} #{shortOrderId(order_id)}
          </span>
          , {statusLabel(order_status)}
        </Link>
      )}
      {customer_name && <span className="wrap-anywhere">{customer_name}</span>}
      <span className="wrap-anywhere">Loan {loan_id}</span>
      <Time at={opened_at} />
    </p>
  );
}
