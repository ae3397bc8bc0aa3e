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
 * Records money that was given back. @param key the same for each attempt to record the same
 * refund, so that it is recorded once
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

/** What the judgement depends on; the kind of a resolution may be one of a newer server. */
interface Judged {
  readonly ledger: { readonly missing: Cents };
  readonly mismatches: readonly { readonly resolution: { readonly kind: string } | null }[];
}

/** Whether less than the total of an order was taken as its payment. */
export function isAcceptedAsPaid({ ledger, mismatches }: Judged): boolean {
  return ledger.missing > 0 && mismatches.some(({ resolution }) => resolution?.kind === "accepted");
}

/**
 * Says that less than the total was taken as the payment. @param waived what it is less, in cents
 */
export function acceptedText(waived: Cents): string {
  return `Accepted as full payment; ${formatGroupedMoney(waived)} waived`;
}
