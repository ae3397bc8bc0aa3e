import { reasonOf } from "../errors.ts";
import { HOUR } from "../scheduling/clock.ts";
import type { AttemptResult, Channel, Delivery } from "./channel.ts";
import type { DeliveryOutcome, DeliveryRow } from "./queue.ts";

/** The result of a channel, or an attempt aborted because the process stops. */
export type AttemptEnd = AttemptResult | { readonly kind: "interrupted" };

/** The longest delay that a target may request, in milliseconds. */
export const MAX_REQUESTED_DELAY = HOUR;
/** The random share of a retry delay. */
const JITTER = 0.25;
/** In characters; longer answers are cut. */
const MAX_ANSWER_LENGTH = 1_000;

/**
 * Makes one attempt within the channel's timeout. Never rejects: an error of the channel counts as
 * `retry`.
 *
 * @param stopping aborts the attempt with the reason `interrupted`
 */
export async function makeAttempt(
  channel: Channel,
  row: DeliveryRow,
  stopping: AbortSignal,
): Promise<AttemptEnd> {
  const signal = AbortSignal.any([AbortSignal.timeout(channel.timeout), stopping]);
  const ended = Promise.withResolvers<never>();
  // The signal may come after the attempt: an unhandled rejection would end the process.
  ended.promise.catch(() => {});
  signal.addEventListener("abort", () => ended.reject(signal.reason));
  try {
    return await Promise.race([ended.promise, channel.deliver(deliveryOf(row), signal)]);
  } catch (error) {
    if (stopping.aborted) return { kind: "interrupted" };
    return { kind: "retry", answer: reasonOf(error) };
  }
}

function deliveryOf(row: DeliveryRow): Delivery {
  const { id, target, type, subject, data, created_at: createdAt, attempts } = row;
  return {
    id,
    target,
    type,
    subject,
    data: JSON.parse(data),
    createdAt,
    attempts: attempts - 1,
    manualRetries: row.manual_retries,
  };
}

/** @param now epoch milliseconds */
export function outcomeOf(
  result: AttemptEnd,
  { attempts }: Pick<DeliveryRow, "attempts">,
  { retryDelays }: Pick<Channel, "retryDelays">,
  now: number,
): DeliveryOutcome {
  switch (result.kind) {
    case "delivered":
    case "skipped":
    case "failed":
      return { state: result.kind, answer: cut(result.answer) };
    case "interrupted":
      return { state: "interrupted" };
    case "retry": {
      const delay = retryDelays[attempts - 1];
      const answer = cut(result.answer);
      if (delay === undefined) return { state: "failed", answer };
      const after = Math.min(result.after ?? 0, MAX_REQUESTED_DELAY);
      return {
        state: "waiting",
        answer,
        nextAt: now + Math.round(Math.max(delay * (1 - JITTER * Math.random()), after)),
      };
    }
  }
}

function cut(answer: string): string {
  return answer.length > MAX_ANSWER_LENGTH ? `${answer.slice(0, MAX_ANSWER_LENGTH)}…` : answer;
}
