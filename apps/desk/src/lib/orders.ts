import { call } from "@keepsats/client";
import { type Cents, formatGroupedMoney } from "@keepsats/domain";
import {
  noteAnswerSchema,
  paths,
  type RefundRequest,
  refundAnswerSchema,
  refundRequestSchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";

/**
 * Adds a staff note to an order's history. @param key idempotency key, reused when the same note is
 * retried
 */
export function noteOrder(id: string, text: string, key: string) {
  return call({
    path: withId(paths.merchant.notes, id),
    method: "POST",
    idempotencyKey: key,
    body: { text },
    answer: noteAnswerSchema,
  });
}

/**
 * Records a refund. @param key idempotency key, reused when the same refund is retried, so that it
 * is recorded once
 */
export function recordRefund(orderId: string, refund: RefundRequest, key: string) {
  return call({
    path: withId(paths.merchant.refunds, orderId),
    method: "POST",
    idempotencyKey: key,
    body: z.encode(refundRequestSchema, refund),
    answer: refundAnswerSchema,
  });
}

/** The kind of a resolution may be one of a newer server. */
interface OrderMoney {
  readonly ledger: { readonly missing: Cents };
  readonly payment_issues: readonly { readonly resolution: { readonly kind: string } | null }[];
}

/** Whether less than the order's total was accepted as its payment. */
export function isAcceptedAsPaid({ ledger, payment_issues }: OrderMoney): boolean {
  return (
    ledger.missing > 0 && payment_issues.some(({ resolution }) => resolution?.kind === "accepted")
  );
}

/** Says that less than the total was accepted as payment. @param waived the difference, in cents */
export function acceptedText(waived: Cents): string {
  return `Accepted as full payment; ${formatGroupedMoney(waived)} waived`;
}
