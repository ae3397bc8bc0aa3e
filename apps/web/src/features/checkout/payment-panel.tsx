import type { Cents } from "@keepsats/domain";
import { Bitcoin, CreditCard } from "lucide-react";
import type { ReactNode } from "react";
import { Accordion, AccordionItem } from "../../ui/accordion.tsx";
import { Money } from "../../ui/money.tsx";
import { LoanExplainer } from "./loan-explainer.tsx";

/** The ways to pay. `finance` is the button that opens the loan provider's pop-up, with what belongs to it. */
export function PaymentPanel({ total, finance }: { total: Cents; finance: ReactNode }) {
  return (
    <section aria-labelledby="payment">
      <h2 id="payment" tabIndex={-1} className="mb-4 text-xl">
        Payment Method
      </h2>
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
              <Bitcoin aria-hidden size={20} className="rounded-full bg-accent p-0.5 text-on-accent" />
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
        </AccordionItem>
      </Accordion>
    </section>
  );
}
