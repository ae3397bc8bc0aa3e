import { call } from "@keepsats/client";
import {
  paths,
  type RefundRequest,
  refundAnswerSchema,
  refundRequestSchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";

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
