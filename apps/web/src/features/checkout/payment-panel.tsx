import type { Cents } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";
import { AppWindow, Bitcoin, CreditCard } from "lucide-react";
import type { ReactNode } from "react";
import type { OwnOrder } from "../../lib/own-orders.ts";
import { Accordion, AccordionItem } from "../../ui/accordion.tsx";
import { Money } from "../../ui/money.tsx";
import { LoanExplainer } from "./loan-explainer.tsx";
import { PriceChange } from "./price-change.tsx";
import type { PaymentNews, PurchaseStep } from "./purchase.ts";
import { PurchaseNote } from "./purchase-note.tsx";
import { useFocusWhen } from "./use-focus-when.ts";

interface PaymentPanelProps {
  readonly step: PurchaseStep;
  readonly total: Cents;
  /** The total before a price change; see {@link PlacedOrderState}. */
  readonly totalBefore: Cents | undefined;
  /** The placed order, if there is one. */
  readonly order: OwnOrder | undefined;
  readonly news: PaymentNews;
  /** The button that opens the loan provider's pop-up, with its hint. */
  readonly finance: ReactNode;
  /** The hosts of the pop-up and of this page, such as `pay.example` and `shop.example`. */
  readonly hosts: { readonly popup: string; readonly page: string };
}

/** The id of the panel's heading. */
export const paymentHeadingId = "payment";

/** The payment methods. The heading is focused when the order is placed. */
export function PaymentPanel({
  step,
  total,
  totalBefore,
  order,
  news,
  finance,
  hosts,
}: PaymentPanelProps) {
  const heading = useFocusWhen<HTMLHeadingElement>(step === "pay", "start");
  return (
    <section aria-labelledby={paymentHeadingId}>
      <h2
        id={paymentHeadingId}
        ref={heading}
        tabIndex={-1}
        className={classes(
          "mb-4 scroll-mt-(--toast-clearance) text-xl",
          step === "details" && "text-ink-soft",
        )}
      >
        Payment Method
      </h2>
      <PurchaseNote step={step} news={news} order={order} />
      {step === "pay" && totalBefore !== undefined && (
        <PriceChange before={totalBefore} now={total} />
      )}
      <Accordion open="loan">
        <AccordionItem
          value="standard"
          title={
            <>
              <CreditCard aria-hidden size={20} className="text-ink-soft" />
              Standard Payment
            </>
          }
        >
          <p className="text-ink-soft">Just kidding, this is not an option.</p>
        </AccordionItem>
        <AccordionItem
          value="loan"
          title={
            <>
              <Bitcoin
                aria-hidden
                size={20}
                className="rounded-full bg-bitcoin p-0.5 text-on-bitcoin"
              />
              Bitcoin-Backed Loan
            </>
          }
        >
          <p className="text-ink-soft">
            Use your bitcoin as collateral without selling it. No credit check is required.
          </p>
          <p className="mt-4 flex justify-between gap-4 font-medium">
            <span>Order total</span>
            <Money cents={total} />
          </p>
          <div className="mt-1 mb-2">
            <LoanExplainer />
          </div>
          {finance}
          <p className="mt-4 flex gap-2.5 text-sm text-ink-soft">
            <AppWindow aria-hidden size={18} className="mt-0.5 shrink-0" />
            <span className="wrap-anywhere">
              The payment window opens at <Host>{hosts.popup}</Host>. This page stays at{" "}
              <Host>{hosts.page}</Host>: close it if its address changes.
            </span>
          </p>
        </AccordionItem>
      </Accordion>
    </section>
  );
}

function Host({ children }: { children: string }) {
  return <span className="font-medium text-ink">{children}</span>;
}
