import { shortOrderId } from "@keepsats/domain";
import type { PurchaseStep } from "./purchase.ts";

interface PurchaseNoteProps {
  readonly step: PurchaseStep;
  /** The id of the placed order, if there is one. */
  readonly orderId: string | undefined;
}

/** Says in the payment panel what has happened and what to do next. Unlike a toast it stays. */
export function PurchaseNote({ step, orderId }: PurchaseNoteProps) {
  if (orderId === undefined) return null;
  return (
    <p className="mb-4 animate-arrive rounded-md bg-sunken px-4 py-3">
      Order <span className="money font-bold">#{shortOrderId(orderId)}</span>
      {nextFor(step)}
    </p>
  );
}

function nextFor(step: PurchaseStep): string {
  switch (step) {
    case "details":
      return "";
    case "pay":
      return " is placed. Now pay for it.";
    case "done":
      return ": the payment window reported success. Complete your purchase to follow it.";
  }
}
