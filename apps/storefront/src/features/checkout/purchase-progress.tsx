import { shortOrderId } from "@keepsats/domain";
import { classes, textLink } from "@keepsats/ui/classes.ts";
import type { ReactNode } from "react";
import { orderLink } from "../../lib/order-link.ts";
import { Link } from "../../lib/router.tsx";
import type { SavedOrder } from "../../lib/saved-orders.ts";
import { Steps } from "../../ui/steps.tsx";
import { hasFailed, type PaymentNews, type PurchaseStep } from "./purchase.ts";

const steps: readonly PurchaseStep[] = ["details", "pay", "done"];

/** 1 Details, 2 Pay, 3 Done. */
export function PurchaseSteps({ step }: { step: PurchaseStep }) {
  return (
    <Steps
      label="Steps of the purchase"
      steps={["Details", "Pay", "Done"]}
      current={steps.indexOf(step)}
      className="mb-10 max-w-md flex-wrap"
    />
  );
}

interface PurchaseNoteProps {
  readonly step: PurchaseStep;
  readonly news: PaymentNews;
  /** `undefined` before the order is placed. */
  readonly order: SavedOrder | undefined;
}

/** The last event of the payment and the next step. Unlike a toast it stays. */
export function PurchaseNote({ step, news, order }: PurchaseNoteProps) {
  return (
    <div role="status">
      {order !== undefined && (
        <div
          key={news}
          data-news={news}
          className={classes(
            "mb-4 animate-arrive rounded-md bg-sunken px-4 py-3",
            hasFailed(news) && "border-l-4 border-danger",
          )}
        >
          {news === "not-found" && <p className="font-medium text-danger">Contract not found.</p>}
          <p>
            Order <span className="money font-bold">#{shortOrderId(order.id)}</span>
            {textOf(news)}
            {step === "done" && !hasFailed(news) && " Complete your purchase to follow it."}
            {step === "pay" && news === "paid" && (
              <>
                {" "}
                <Link to={orderLink({ ...order, orderId: order.id })} className={textLink}>
                  Follow your order
                </Link>
              </>
            )}
          </p>
        </div>
      )}
    </div>
  );
}

function textOf(news: PaymentNews): ReactNode {
  switch (news) {
    case "placed":
      return " is placed. Now pay for it.";
    case "reported":
      return ": the payment window reported success.";
    case "active":
      return ": your payment is in progress. The lender pays us once your collateral arrives.";
    case "failed":
      return ": this payment did not go through. The lender declined the loan, or it has expired. You can try again.";
    case "not-found":
      return ": the lender has no loan that covers the total. If a loan was paid out, the shop sees it and will contact you. Wait for that before you pay again. Otherwise, you can try again.";
    case "paid":
      return " is paid.";
  }
}
