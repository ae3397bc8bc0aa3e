import { reasonOf } from "../errors.ts";
import type { Attempt, Channel, Delivery } from "./channel.ts";
import type { DeliveryRow, Outcome } from "./queue.ts";

/** How an attempt ended: with a result of its channel, or because the process stops. */
export type Result = Attempt | { readonly kind: "interrupted" };

/** The longest pause that a target may ask for, in milliseconds. */
export const LONGEST_AFTER = 60 * 60_000;
/** An attempt may take this part of its lease, so that its end is stored before the lease ends. */
const PART_OF_LEASE = 5 / 6;
/** The part of a pause that is random. */
const JITTER = 0.25;
/** The most characters that are kept of an answer. */
const LONGEST_ANSWER = 1_000;

/**
 * Makes one attempt of a delivery within the channel's time limit. It never rejects: what the
 * channel throws counts as `retry`.
 *
 * @param lease the duration of the lease of the delivery, in milliseconds
 * @param stopping aborted when the process breaks its attempts off
 */
export async function makeAttempt(
  channel: Channel,
  row: DeliveryRow,
  { lease, stopping }: { lease: number; stopping: AbortSignal },
): Promise<Result> {
  const timeLimit = Math.min(channel.timeLimit, lease * PART_OF_LEASE);
  const ended = new AbortController();
  const late = Promise.withResolvers<Result>();
  const end = (result: Result) => {
    late.resolve(result);
    ended.abort(result.kind);
  };
  const timer = setTimeout(
    () => end({ kind: "retry", answer: `no answer within ${timeLimit / 1000} s` }),
    timeLimit,
  );
  const stop = () => end({ kind: "interrupted" });
  stopping.addEventListener("abort", stop);
  if (stopping.aborted) stop();
  try {
    return await Promise.race([late.promise, channel.deliver(deliveryOf(row), ended.signal)]);
  } catch (error) {
    return { kind: "retry", answer: reasonOf(error) };
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener("abort", stop);
  }
}

/** A delivery as its channel sees it. */
function deliveryOf(row: DeliveryRow): Delivery {
  const { id, target, type, subject, data, created_at: createdAt, attempts, repeats } = row;
  return {
    id,
    target,
    type,
    subject,
    data: JSON.parse(data),
    createdAt,
    attempts: attempts - 1,
    repeats,
  };
}

/**
 * Decides what becomes of a delivery after an attempt.
 *
 * @param now epoch milliseconds
 * @param random a number from 0 to 1
 */
export function outcomeOf(
  result: Result,
  { attempts }: Pick<DeliveryRow, "attempts">,
  { pauses }: Pick<Channel, "pauses">,
  { now, random }: { now: number; random: number },
): Outcome {
  switch (result.kind) {
    case "delivered":
    case "skipped":
      return { state: result.kind, answer: cut(result.answer) };
    case "gave-up":
      return { state: "given-up", answer: cut(result.answer) };
    case "interrupted":
      return { state: "interrupted" };
    case "retry": {
      const pause = pauses[attempts - 1];
      const answer = cut(result.answer);
      if (pause === undefined) return { state: "given-up", answer };
      const after = Math.min(result.after ?? 0, LONGEST_AFTER);
      return {
        state: "waiting",
        answer,
        nextAt: now + Math.round(Math.max(pause * (1 - JITTER * random), after)),
      };
    }
  }
}

function cut(answer: string): string {
  return answer.length > LONGEST_ANSWER ? `${answer.slice(0, LONGEST_ANSWER)}…` : answer;
}
