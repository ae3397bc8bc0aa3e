import { Suspense } from "react";
import type { FinanceButtonProps } from "../features/payment-widget/finance-button.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { createPart } from "../ui/part.ts";
import { usePageConfig } from "./page-config.ts";

export const payment = createPart(() => import("../features/payment-widget/finance-button.tsx"));

/** The button that starts a payment. Its code is a part of its own, because the checkout and the order page share it. */
export function Payment(props: Omit<FinanceButtonProps, "settings">) {
  const settings = usePageConfig();
  return (
    <ErrorBoundary what="The payment" onRetry={payment.retry}>
      <Suspense fallback={<Waiting label={props.label} />}>
        <payment.Component settings={settings} {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

function Waiting({ label }: { label: string }) {
  return (
    <Button kind="forward" className="mb-8 w-full" disabled>
      {label}
    </Button>
  );
}
