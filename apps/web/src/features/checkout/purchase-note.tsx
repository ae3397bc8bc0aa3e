import { shortOrderId } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";
import { textLink } from "@keepsats/ui/text-link.ts";
import type { ReactNode } from "react";
import { orderLink } from "../../lib/order-link.ts";
import type { OwnOrder } from "../../lib/own-orders.ts";
import { Link } from "../../lib/router.tsx";
import { hasFailed, type PaymentNews, type PurchaseStep } from "./purchase.ts";

interface PurchaseNoteProps {
  readonly step: PurchaseStep;
  readonly news: PaymentNews;
  /** The placed order, if there is one. */
  readonly order: OwnOrder | undefined;
}

/**
 * Says in the payment panel what has happened and what to do next. Unlike a toast it stays; screen
 * readers announce it.
 */
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
    case "under-way":
      return ": your payment is under way. The lender pays us once your collateral arrives.";
    case "over":
      return ": this payment did not go through. The lender declined the loan, or it has expired. You can try again.";
    case "not-found":
      return ": the lender has no loan that covers the total. If a loan was paid out, the shop sees it and will contact you. Wait for that before you pay again. Otherwise, you can try again.";
    case "paid":
      return " is paid.";
  }
}
