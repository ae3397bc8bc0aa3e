import { Button } from "@keepsats/ui/button.tsx";
import { ErrorBoundary } from "@keepsats/ui/error-boundary.tsx";
import { createLazyComponent } from "@keepsats/ui/lazy-component.ts";
import { Suspense } from "react";
import type { FinanceButtonProps } from "../features/payment-widget/finance-button.tsx";
import { usePageConfig } from "./page-config.ts";

export const financeButton = createLazyComponent(
  () => import("../features/payment-widget/finance-button.tsx"),
);

interface PaymentButtonProps extends Omit<FinanceButtonProps, "settings"> {
  /** The id of the heading above the button. It is focused when the code is loaded again. */
  readonly headingId: string;
}

/**
 * The button that starts a payment, for the checkout and the order page. Its code is loaded when it
 * is first rendered.
 */
export function PaymentButton({ headingId, ...props }: PaymentButtonProps) {
  const settings = usePageConfig();

  function retry(): void {
    financeButton.retry();
    document.getElementById(headingId)?.focus();
  }

  return (
    <ErrorBoundary what="The payment" onRetry={retry}>
      <Suspense fallback={<DisabledButton label={props.label} />}>
        <financeButton.Component settings={settings} {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

function DisabledButton({ label }: { label: string }) {
  return (
    <Button kind="forward" className="mb-8 w-full" disabled>
      {label}
    </Button>
  );
}
