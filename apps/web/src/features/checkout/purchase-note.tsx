import { shortOrderId } from "@keepsats/domain";
import type { PurchaseStep } from "./purchase.ts";

interface PurchaseNoteProps {
  readonly step: PurchaseStep;
  /** The order that was placed, if any. */
  readonly orderId: string | undefined;
}

/** What happened last and what comes next, where the shopper pays: toasts go away, this stays. */
export function PurchaseNote({ step, orderId }: PurchaseNoteProps) {
  if (orderId === undefined) return null;
  return (
    <p className="mb-4 animate-arrive rounded-md bg-sunken px-4 py-3">
      Order <span className="money font-bold">#{shortOrderId(orderId)}</span> {nextFor(step)}
    </p>
  );
}

function nextFor(step: PurchaseStep): string {
  switch (step) {
    case "details":
      return "";
    case "pay":
      return "is placed. Now pay for it.";
    case "done":
      return "has its loan under way. Now complete your purchase.";
  }
}
