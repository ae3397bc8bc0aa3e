import { type Cents, shopCurrency } from "@keepsats/domain";
import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { Modal } from "@keepsats/ui/modal.tsx";
import { AppWindow, Bitcoin, ChevronDown, CreditCard } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { usePageSettings } from "../../lib/page-settings.ts";
import type { SavedOrder } from "../../lib/saved-orders.ts";
import { Money } from "../../ui/money.tsx";
import type { PaymentNews, PurchaseStep } from "./purchase.ts";
import { PurchaseNote } from "./purchase-progress.tsx";

interface PaymentPanelProps {
  readonly step: PurchaseStep;
  readonly total: Cents;
  /** `undefined` before the order is placed. */
  readonly order: SavedOrder | undefined;
  readonly news: PaymentNews;
  /** The button that opens the pop-up of the loan provider. */
  readonly finance: ReactNode;
}

/** The heading is focused when the order is placed. */
export function PaymentPanel({ step, total, order, news, finance }: PaymentPanelProps) {
  const { popupOrigin, origin } = usePageSettings();
  const heading = useFocusWhen<HTMLHeadingElement>(step === "pay", "start");
  return (
    <section aria-labelledby="payment">
      <h2
        id="payment"
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
      <div className="border-y border-line">
        <PaymentMethod
          icon={<CreditCard aria-hidden size={20} className="text-ink-soft" />}
          title="Standard Payment"
        >
          <p className="text-ink-soft">Just kidding, this is not an option.</p>
        </PaymentMethod>
        <PaymentMethod
          isOpen
          icon={
            <Bitcoin
              aria-hidden
              size={20}
              className="rounded-full bg-bitcoin p-0.5 text-on-bitcoin"
            />
          }
          title="Bitcoin-Backed Loan"
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
              The payment window opens at <Host origin={popupOrigin} />. This page stays at{" "}
              <Host origin={origin} />: close it if its address changes.
            </span>
          </p>
        </PaymentMethod>
      </div>
    </section>
  );
}

interface PaymentMethodProps {
  readonly icon: ReactNode;
  readonly title: string;
  /** Whether it is open at first. */
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** Only one method is open at a time. */
function PaymentMethod({ icon, title, isOpen = false, children }: PaymentMethodProps) {
  return (
    <details
      name="payment-method"
      open={isOpen}
      className="group not-first:border-t not-first:border-line"
    >
      <summary className="flex min-h-13 cursor-pointer items-center justify-between gap-3 py-3 font-medium [&::-webkit-details-marker]:hidden">
        <span className="flex items-center gap-2.5">
          {icon}
          {title}
        </span>
        <ChevronDown
          aria-hidden
          size={18}
          className="shrink-0 text-ink-soft transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="pb-5">{children}</div>
    </details>
  );
}

const loanSteps = [
  "You give the lender some bitcoin as collateral; it stays yours and is not sold.",
  `The lender pays the shop for you in ${shopCurrency.plural}, so your order is paid at once.`,
  "You repay the loan with interest, by the end of its term.",
  "Then you get your bitcoin back, whatever it is worth by then.",
  "If the price of bitcoin falls too far, the lender may ask for more collateral or sell it.",
];

/** "How does it work?" and its dialog. */
function LoanExplainer() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        className="min-h-11 font-medium underline underline-offset-4 hover:decoration-2"
      >
        How does it work?
      </button>
      {isOpen && (
        <Modal title="How a Bitcoin-backed loan works" onClose={() => setIsOpen(false)}>
          <ol className="space-y-3">
            {loanSteps.map((sentence, index) => (
              <li key={sentence} className="flex gap-4">
                <span className="money text-ink-soft">{index + 1}</span>
                <span>{sentence}</span>
              </li>
            ))}
          </ol>
        </Modal>
      )}
    </>
  );
}

/** The host of an origin, such as `pay.example`. */
function Host({ origin }: { origin: string }) {
  return <span className="font-medium text-ink">{new URL(origin).host}</span>;
}

interface CompletePurchaseProps {
  readonly step: PurchaseStep;
  /** The payment attempt has failed, so paying again is the next step. */
  readonly hasFailed: boolean;
  readonly onComplete: () => void;
}

/** Enabled and focused when the widget reports success. */
export function CompletePurchase({ step, hasFailed, onComplete }: CompletePurchaseProps) {
  const button = useFocusWhen<HTMLButtonElement>(step === "done", "nearest");
  const hint = useId();
  return (
    <div>
      <Button
        ref={button}
        kind={hasFailed ? "plain" : "forward"}
        className="w-full"
        disabled={step !== "done"}
        aria-describedby={hint}
        onClick={onComplete}
      >
        Complete Purchase
      </Button>
      <p id={hint} className="mt-2 text-sm text-ink-soft">
        {step === "done"
          ? "This opens your order page."
          : "You can do this once the payment window reports success."}
      </p>
    </div>
  );
}

/**
 * Focuses an element and scrolls to it when a condition becomes true after the first render.
 *
 * @param block the vertical position of the element after scrolling
 */
function useFocusWhen<Target extends HTMLElement>(
  condition: boolean,
  block: ScrollLogicalPosition,
): RefObject<Target | null> {
  const target = useRef<Target>(null);
  const before = useRef(condition);
  useEffect(() => {
    if (condition && !before.current) {
      target.current?.focus({ preventScroll: true });
      target.current?.scrollIntoView({ block });
    }
    before.current = condition;
  }, [condition, block]);
  return target;
}
